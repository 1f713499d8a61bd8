/* Dry friction between two decisions of what sticks, and what comes to rest within a step.

   A point moves while the sum of joints that it follows does, whatever ratio its gear has just then. */

#include "arm.h"

#if CAN_STICK

#include <math.h>

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

/* How fast the points move; 0 where all that is left is rounding, or friction cannot hold. */
static void rates_of(const double *qd, double *rates)
{
    for (int k = 0; k < POINTS; k++) {
        double rate = 0, cancelling = 0;
        for (int j = 0; j < JOINTS; j++) {
            rate += point_weights[k][j] * qd[j];
            cancelling += fabs(point_weights[k][j] * qd[j]);
        }
        const bool still = !point_is_dry[k] || (point_is_coupled[k] && fabs(rate) <= REST * cancelling);
        rates[k] = still ? 0 : rate;
    }
}

bool friction_ways(const double *qd, const double *qdd, double *ways)
{
    double rates[POINTS], starting[POINTS];
    bool starts = false;
    rates_of(qd, rates);
    rates_of(qdd, starting);
    for (int k = 0; k < POINTS; k++) {
        ways[k] = sign(rates[k] != 0 ? rates[k] : starting[k]);
        starts = starts || (rates[k] == 0 && ways[k] != 0);
    }
    return starts;
}

Outcome friction_motion(const double *v, const double *q, const double *qd, const double *ways, double *qdd)
{
    double tau[JOINTS], shafts[POINTS], taken[POINTS], excess[POINTS];
    int sticking[POINTS];
    if (model_torque(q, qd, DRIVE(v), tau) || model_shaft_ways(q, ways, shafts))
        return NO_ACCELERATION;
    if (model_motion_in_ways(q, qd, tau, shafts, WRENCH(v), PAYLOAD(v), qdd, taken, excess))
        return NO_ACCELERATION;
    for (int k = 0; k < POINTS; k++)
        sticking[k] = point_is_dry[k] && ways[k] == 0;
    model_hold(sticking, qdd);
    return FOUND;
}

Outcome friction_captured(const double *v, const double *qd_before, const double *q, double *qd)
{
    double before[POINTS], after[POINTS], ways[POINTS];
    int stopping[POINTS];
    bool turned = false;
    rates_of(qd_before, before);
    rates_of(qd, after);
    for (int k = 0; k < POINTS; k++) {
        const bool turns = before[k] * after[k] < 0;
        stopping[k] = turns || (after[k] == 0 && point_is_dry[k]);
        ways[k] = stopping[k] ? 0 : 1;
        turned = turned || turns;
    }
    if (!turned)
        return FOUND;
    if (model_stopped_velocity(q, qd, ways, WRENCH(v), PAYLOAD(v), qd))
        return NO_ACCELERATION;
    model_hold(stopping, qd);
    return FOUND;
}

#endif
