/* Dry friction: which points stick, and the motion in between; armdyn.dynamics.sticking in C.

   A point moves while the sum of joints that it follows does, whatever ratio its gear has just then. */

#include "arm.h"

#if CAN_STICK

#include <math.h>
#include <string.h>

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static double largest(const double *x, int count)
{
    double found = 0;
    for (int k = 0; k < count; k++)
        found = fmax(found, fabs(x[k]));
    return found;
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

/* Make x exactly 0 for the joints that cannot move while the points that stick do not: those whose unit vector
   the weights of these points span, which shows once their rows are reduced. */
static void hold(double *x, const bool *sticking)
{
    double rows[POINTS][JOINTS];
    int count = 0, reduced = 0;
    for (int k = 0; k < POINTS; k++)
        if (sticking[k]) {
            const double size = largest(point_weights[k], JOINTS);
            for (int j = 0; j < JOINTS; j++)
                rows[count][j] = point_weights[k][j] / size;
            count++;
        }
    int pivot[POINTS];
    for (int j = 0; j < JOINTS && reduced < count; j++) {
        int best = reduced;
        for (int i = reduced + 1; i < count; i++)
            if (fabs(rows[i][j]) > fabs(rows[best][j]))
                best = i;
        if (fabs(rows[best][j]) < ROUNDING)
            continue;
        const double scale = 1 / rows[best][j];
        for (int c = 0; c < JOINTS; c++) {
            const double moved = rows[reduced][c];
            rows[reduced][c] = rows[best][c] * scale;
            if (best != reduced)
                rows[best][c] = moved;
        }
        for (int i = 0; i < count; i++) {
            const double share = rows[i][j];
            for (int c = 0; c < JOINTS && i != reduced; c++)
                rows[i][c] -= share * rows[reduced][c];
        }
        pivot[reduced++] = j;
    }
    for (int i = 0; i < reduced; i++) {
        double others = 0;
        for (int c = 0; c < JOINTS; c++)
            others = c == pivot[i] ? others : fmax(others, fabs(rows[i][c]));
        if (others < ROUNDING)
            x[pivot[i]] = 0;
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
    double tau[JOINTS];
    bool sticking[POINTS];
    if (model_torque(q, qd, DRIVE(v), tau))
        return NO_ACCELERATION;
    if (model_motion_in_ways(q, qd, tau, ways, WRENCH(v), PAYLOAD(v), qdd))
        return NO_ACCELERATION;
    for (int k = 0; k < POINTS; k++)
        sticking[k] = point_is_dry[k] && ways[k] == 0;
    hold(qdd, sticking);
    return FOUND;
}

Outcome friction_captured(const double *v, const double *qd_before, const double *q, double *qd)
{
    double before[POINTS], after[POINTS], ways[POINTS];
    bool stopping[POINTS], turned = false;
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
    if (model_stopped_velocity(q, qd, ways, PAYLOAD(v), qd))
        return NO_ACCELERATION;
    hold(qd, stopping);
    return FOUND;
}

/* What sticks ----------------------------------------------------------------------------------------- */

/* Accelerations, and what is asked of the points. */
typedef struct {
    double qdd[JOINTS], held[POINTS];
} Trial;

/* A state of which the motion is not known yet. */
typedef struct {
    const double *v, *q, *qd, *tau;
} Unknown;

/* Newton's next trial, and how wrong, as a torque, this one is; whether there are such. */
static bool next_trial(const Unknown *x, const Trial *here, Trial *next, double *wrong)
{
    return !model_friction_step(x->q, x->qd, here->qdd, here->held, x->tau, WRENCH(x->v), PAYLOAD(x->v), next->qdd,
                                next->held, wrong);
}

/* Which way the points of a trial slide, 0 for those that stick; whether that is known. */
static bool sliding(const Unknown *x, const Trial *here, double *ways)
{
    double taken[POINTS], running[POINTS];
    if (model_friction_at_rest(x->q, x->qd, here->qdd, here->held, WRENCH(x->v), PAYLOAD(x->v), taken, running))
        return false;
    for (int k = 0; k < POINTS; k++)
        ways[k] = taken[k] == here->held[k] ? 0 : sign(here->held[k]);
    return true;
}

/* Let only the first point that wants to change between sticking and sliding do so: Murty's least-index rule,
   which does not go round in circles where the load does not matter. */
static void change_first_only(const Unknown *x, const Trial *here, Trial *next)
{
    double before[POINTS], after[POINTS];
    int first = 0;
    if (!sliding(x, here, before) || !sliding(x, next, after))
        return;
    while (first < POINTS && before[first] == after[first])
        first++;
    if (first == POINTS)
        return;
    for (int k = 0; k < POINTS; k++) {
        const double way = k == first ? after[k] : before[k];
        const double asked = k == first ? next->held[k] : here->held[k];
        next->held[k] = way == 0 ? 0 : asked;
    }
}

/* Go only a part of the way: of changing length, none twice. */
static void shorten(const Trial *here, Trial *next, int attempt)
{
    const double length = 0.3 + 0.6 * fmod(attempt * 0.618, 1.0);
    for (int j = 0; j < JOINTS; j++)
        next->qdd[j] = here->qdd[j] + length * (next->qdd[j] - here->qdd[j]);
    for (int k = 0; k < POINTS; k++)
        next->held[k] = here->held[k] + length * (next->held[k] - here->held[k]);
}

/* The trial that is least wrong, relative to what is allowed: by how much. */
static double best_trial(const Unknown *x, Trial *best, double *allowed)
{
    Trial here = {{0}, {0}}, next;
    double smallest = HUGE_VAL, wrong;
    for (int attempt = 0; attempt < ATTEMPTS && smallest > 1 && next_trial(x, &here, &next, &wrong); attempt++) {
        if (attempt == 0)
            *allowed = SETTLED * (TORQUE_SCALE + largest(x->tau, JOINTS) + wrong);
        if (wrong / *allowed < smallest) {
            smallest = wrong / *allowed;
            *best = here;
        }
        /* full steps end where pieces settle; where they go round in circles, other steps lead out */
        if (attempt >= PIVOTS)
            shorten(&here, &next, attempt);
        else if (attempt >= FULL)
            change_first_only(x, &here, &next);
        here = next;
    }
    return smallest;
}

Outcome friction_decided(const double *v, const double *q, const double *qd, const double *tau, double *qdd)
{
    const Unknown x = {v, q, qd, tau};
    Trial best;
    double allowed = 0, taken[POINTS], running[POINTS];
    bool sticking[POINTS];
    if (!(best_trial(&x, &best, &allowed) <= NEAR_ENOUGH))
        return NO_ACCELERATION;
    if (model_friction_at_rest(q, qd, best.qdd, best.held, WRENCH(v), PAYLOAD(v), taken, running))
        return NO_ACCELERATION;
    for (int k = 0; k < POINTS; k++)
        sticking[k] = running[k] <= allowed;
    memcpy(qdd, best.qdd, sizeof best.qdd);
    hold(qdd, sticking);
    return FOUND;
}

#endif
