/* Steps in time with a fixed length: the integrators of armdyn.dynamics.fixed_step. */

#include <math.h>
#include <string.h>

#include "arm.h"

Outcome arm_accelerations(const double *v, const double *q, const double *qd, double *qdd)
{
    double tau[JOINTS];
    if (model_torque(q, qd, DRIVE(v), tau) || model_forward(q, qd, tau, WRENCH(v), PAYLOAD(v), qdd))
        return NO_ACCELERATION;
    return FOUND;
}

/* The stages of one step. What moves, and what sticks, is decided in the first: otherwise friction would drive
   a point that is about to stop to and fro from stage to stage. What starts has friction in motion from the
   beginning. */
typedef struct {
    const double *v;
#if CAN_STICK
    bool decided;
    double ways[POINTS];
#endif
} Stages;

static Outcome stage(Stages *s, const double *q, const double *qd, double *qdd)
{
#if CAN_STICK
    if (s->decided)
        return friction_motion(s->v, q, qd, s->ways, qdd);
    s->decided = true;
    Outcome outcome = arm_accelerations(s->v, q, qd, qdd);
    if (outcome == FOUND && friction_ways(qd, qdd, s->ways))
        return friction_motion(s->v, q, qd, s->ways, qdd);
    return outcome;
#else
    return arm_accelerations(s->v, q, qd, qdd);
#endif
}

/* x + slope h. */
static void ahead(const double *x, const double *slope, double h, double *result)
{
    for (int j = 0; j < JOINTS; j++)
        result[j] = x[j] + slope[j] * h;
}

#if INTEGRATOR_RK4

/* x + (a + 2 (b + c) + d) h/6. */
static void weighted(const double *x, const double *a, const double *b, const double *c, const double *d, double h,
                     double *result)
{
    const double sixth = h / 6;
    for (int j = 0; j < JOINTS; j++)
        result[j] = x[j] + (a[j] + 2 * (b[j] + c[j]) + d[j]) * sixth;
}

static Outcome integrated(Stages *s, const double *q, const double *qd, double h, double *q_end, double *qd_end)
{
    double q_at[JOINTS], qd2[JOINTS], qd3[JOINTS], qd4[JOINTS];
    double a1[JOINTS], a2[JOINTS], a3[JOINTS], a4[JOINTS];
    const double half = 0.5 * h;
    Outcome outcome = stage(s, q, qd, a1);
    if (outcome != FOUND)
        return outcome;
    ahead(q, qd, half, q_at);
    ahead(qd, a1, half, qd2);
    if ((outcome = stage(s, q_at, qd2, a2)) != FOUND)
        return outcome;
    ahead(q, qd2, half, q_at);
    ahead(qd, a2, half, qd3);
    if ((outcome = stage(s, q_at, qd3, a3)) != FOUND)
        return outcome;
    ahead(q, qd3, h, q_at);
    ahead(qd, a3, h, qd4);
    if ((outcome = stage(s, q_at, qd4, a4)) != FOUND)
        return outcome;
    weighted(q, qd, qd2, qd3, qd4, h, q_end);
    weighted(qd, a1, a2, a3, a4, h, qd_end);
    return FOUND;
}

#else

static Outcome integrated(Stages *s, const double *q, const double *qd, double h, double *q_end, double *qd_end)
{
    double qdd[JOINTS];
    const Outcome outcome = stage(s, q, qd, qdd);
    if (outcome != FOUND)
        return outcome;
    ahead(qd, qdd, h, qd_end);
    ahead(q, INTEGRATOR_SEMI_IMPLICIT ? qd_end : qd, h, q_end);
    return FOUND;
}

#endif

Outcome arm_step(double *v, double h)
{
    double *q = v + AT_Q, *qd = v + AT_QD, q_end[JOINTS], qd_end[JOINTS];
    Stages stages = {.v = v};
    Outcome outcome = integrated(&stages, q, qd, h, q_end, qd_end);
    if (outcome != FOUND)
        return outcome;
    for (int j = 0; j < JOINTS; j++)
        if (!(fabs(qd_end[j]) < FASTEST && isfinite(q_end[j])))
            return TOO_FAST;
#if CAN_STICK
    if ((outcome = friction_captured(v, qd, q_end, qd_end)) != FOUND)
        return outcome;
#endif
    memcpy(q, q_end, sizeof q_end);
    memcpy(qd, qd_end, sizeof qd_end);
    return FOUND;
}
