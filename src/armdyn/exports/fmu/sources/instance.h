/* One instance of the FMU. */

#ifndef INSTANCE_H
#define INSTANCE_H

#include "arm.h"
#include "fmi3.h"

typedef enum { INSTANTIATED, INITIALIZING, STEPPING, TERMINATED } Phase;

/* All that an instance is at an instant: numbers only, so that bytes of it can be kept. */
typedef struct {
    double v[VARIABLES];
    double stop_time; /* infinite if there is none */
    double phase;
} State;

typedef struct {
    State state;
    bool is_fresh[OUTPUT_GROUPS]; /* outputs are computed when somebody asks for them */
    bool logs_errors, logs_discards;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
} Instance;

/* Everything as it is when an instance is made. */
void instance_start(Instance *instance);

/* Something that outputs follow from has changed. */
void instance_changed(Instance *instance);

/* Where an instance stands. */
static inline Phase phase_of(const Instance *instance)
{
    return (Phase)instance->state.phase;
}

/* Say why a call has failed, and return how badly: fmi3Error where the caller is wrong, fmi3Discard where all is
   as it was before the call, and another one may succeed. */
#if defined __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
fmi3Status failed(const Instance *instance, fmi3Status status, const char *message, ...);

/* Whether a call is allowed now: an instance in one of the phases from first to last. */
bool allowed(const Instance *instance, const char *function, Phase first, Phase last);

#endif
