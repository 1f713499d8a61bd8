/* The arm as it moves: what the FMU asks for, and the friction that decides what sticks.

   All variables of an instance lie in one array v, each at its value reference; "model.h" says where. Nothing
   here is allocated, and nothing is kept between two calls. */

#ifndef ARM_H
#define ARM_H

#include <stdbool.h>

#include "model.h"

typedef enum {
    FOUND,
    NO_ACCELERATION, /* a singular mass matrix, or friction under load without an answer */
    TOO_FAST         /* the step is too large */
} Outcome;

/* Accelerations of a state under what acts on the arm, friction deciding what sticks. */
Outcome arm_accelerations(const double *v, const double *q, const double *qd, double *qdd);

/* Positions and velocities a step of h seconds later; unchanged unless it is FOUND. */
Outcome arm_step(double *v, double h);

#if CAN_STICK
/* The ways of the friction points: 1 or -1 for what moves so or is about to, 0 for what stays at rest.
   Whether anything starts from rest. */
bool friction_ways(const double *qd, const double *qdd, double *ways);

/* Accelerations while the points keep their ways, exactly 0 for joints that are held. */
Outcome friction_motion(const double *v, const double *q, const double *qd, const double *ways, double *qdd);

/* What has turned round within a step, of velocities qd_before and qd, comes to rest. */
Outcome friction_captured(const double *v, const double *qd_before, const double *q, double *qd);
#endif

#endif
