/* The life of an instance: made, initialized, stepped, terminated, freed. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

/* Communication points and ends of steps may differ by what rounding makes of them. */
#define ON_TIME 1e-9
/* Longer communication steps are a mistake. */
#define MOST_STEPS 1e9

FMI3(const char *, fmi3GetVersion)(void)
{
    return "3.0";
}

/* Made and freed --------------------------------------------------------------------------------------- */

static const char *unfit(fmi3String name, fmi3String token, bool events, size_t intermediate)
{
    if (!name || !*name)
        return "fmi3InstantiateCoSimulation: the instance has no name, expected one";
    if (!token || strcmp(token, INSTANTIATION_TOKEN) != 0)
        return "fmi3InstantiateCoSimulation: the instantiation token is not that of this FMU";
    if (events)
        return "fmi3InstantiateCoSimulation: event mode is asked for, but this FMU has none";
    if (intermediate)
        return "fmi3InstantiateCoSimulation: intermediate variables are asked for, but this FMU gives none";
    return NULL;
}

FMI3(fmi3Instance, fmi3InstantiateCoSimulation)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean events,
 fmi3Boolean early_return, const fmi3ValueReference intermediate[], size_t n_intermediate,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    (void)resources, (void)visible, (void)logging, (void)early_return, (void)intermediate, (void)update;
    const char *why = unfit(name, token, events, n_intermediate);
    Instance *instance = why ? NULL : calloc(1, sizeof *instance);
    if (!instance) {
        if (log)
            log(environment, fmi3Error, "logStatusError", why ? why : "fmi3InstantiateCoSimulation: no memory is left");
        return NULL;
    }
    instance->environment = environment;
    instance->log = log;
    instance->logs_errors = instance->logs_discards = true;
    instance_start(instance);
    return instance;
}

FMI3(void, fmi3FreeInstance)(fmi3Instance instance)
{
    free(instance);
}

FMI3(fmi3Status, fmi3SetDebugLogging)(fmi3Instance instance, fmi3Boolean on, size_t n_categories, const fmi3String categories[])
{
    Instance *self = instance;
    if (!allowed(self, "fmi3SetDebugLogging", INSTANTIATED, TERMINATED))
        return fmi3Error;
    for (size_t i = 0; i < n_categories; i++) {
        const char *category = categories && categories[i] ? categories[i] : "";
        if (strcmp(category, "logStatusError") == 0)
            self->logs_errors = on;
        else if (strcmp(category, "logStatusDiscard") == 0)
            self->logs_discards = on;
        else
            return failed(self, fmi3Error, "fmi3SetDebugLogging: no category \"%.60s\"", category);
    }
    if (n_categories == 0)
        self->logs_errors = self->logs_discards = on;
    return fmi3OK;
}

/* Phases ----------------------------------------------------------------------------------------------- */

FMI3(fmi3Status, fmi3EnterInitializationMode)
(fmi3Instance instance, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop)
{
    Instance *self = instance;
    (void)has_tolerance, (void)tolerance; /* the length of steps decides */
    if (!allowed(self, "fmi3EnterInitializationMode", INSTANTIATED, INSTANTIATED))
        return fmi3Error;
    if (!isfinite(start) || (has_stop && !(stop >= start)))
        return failed(self, fmi3Error, "fmi3EnterInitializationMode: from %g s to %g s, expected a time and a later one",
                      start, has_stop ? stop : HUGE_VAL);
    self->state.v[0] = start;
    self->state.stop_time = has_stop ? stop : HUGE_VAL;
    self->state.phase = INITIALIZING;
    return fmi3OK;
}

FMI3(fmi3Status, fmi3ExitInitializationMode)(fmi3Instance instance)
{
    Instance *self = instance;
    if (!allowed(self, "fmi3ExitInitializationMode", INITIALIZING, INITIALIZING))
        return fmi3Error;
    self->state.phase = STEPPING;
    return fmi3OK;
}

FMI3(fmi3Status, fmi3Terminate)(fmi3Instance instance)
{
    Instance *self = instance;
    if (!allowed(self, "fmi3Terminate", STEPPING, STEPPING))
        return fmi3Error;
    self->state.phase = TERMINATED;
    return fmi3OK;
}

FMI3(fmi3Status, fmi3Reset)(fmi3Instance instance)
{
    if (!instance)
        return fmi3Error;
    instance_start(instance);
    return fmi3OK;
}

/* Steps ------------------------------------------------------------------------------------------------ */

static fmi3Status unsteppable(const Instance *self, double point, double length)
{
    const double now = self->state.v[0], rounding = ON_TIME * fmax(1, fabs(now));
    if (!isfinite(point) || !(fabs(point - now) <= rounding))
        return failed(self, fmi3Error, "fmi3DoStep: from %.9g s, but the instance is at %.9g s", point, now);
    if (!isfinite(length) || !(length > 0))
        return failed(self, fmi3Error, "fmi3DoStep: a step of %g s, expected a number above 0", length);
    if (point + length > self->state.stop_time + rounding)
        return failed(self, fmi3Error, "fmi3DoStep: to %.9g s, beyond the stop time %.9g s", point + length,
                      self->state.stop_time);
    if (length / self->state.v[AT_SOLVER_STEP] > MOST_STEPS)
        return failed(self, fmi3Error, "fmi3DoStep: %g s take more than %g steps of %g s", length, MOST_STEPS,
                      self->state.v[AT_SOLVER_STEP]);
    return fmi3OK;
}

/* Go on in the fewest steps of equal length that are no longer than the solver's own. */
static Outcome advance(double *v, double length, double *reached)
{
    const double longest = v[AT_SOLVER_STEP], whole = fmax(1, round(length / longest));
    const bool fits = fabs(length - whole * longest) <= ON_TIME * longest;
    const double steps = fits ? whole : ceil(length / longest), h = fits ? longest : length / steps;
    for (double k = 0; k < steps; k++) {
        *reached = k * h;
        const Outcome outcome = arm_step(v, h);
        if (outcome != FOUND)
            return outcome;
    }
    return FOUND;
}

FMI3(fmi3Status, fmi3DoStep)
(fmi3Instance instance, fmi3Float64 point, fmi3Float64 length, fmi3Boolean no_way_back, fmi3Boolean *event,
 fmi3Boolean *terminate, fmi3Boolean *early_return, fmi3Float64 *last_time)
{
    Instance *self = instance;
    (void)no_way_back;
    if (!allowed(self, "fmi3DoStep", STEPPING, STEPPING))
        return fmi3Error;
    if (!event || !terminate || !early_return || !last_time)
        return failed(self, fmi3Error, "fmi3DoStep: no place for what it returns is given");
    const fmi3Status status = unsteppable(self, point, length);
    if (status != fmi3OK)
        return status;
    const State before = self->state;
    double reached = 0;
    *event = *terminate = *early_return = false;
    *last_time = point;
    const Outcome outcome = advance(self->state.v, length, &reached);
    if (outcome != FOUND) {
        self->state = before;
        return failed(self, fmi3Discard,
                      outcome == TOO_FAST ? "fmi3DoStep: at %.9g s something moves beyond all bounds: the solver's step is "
                                            "too large; set a smaller solver_step"
                                          : "fmi3DoStep: at %.9g s no acceleration is found: the mass matrix is singular "
                                            "there, or friction under load has no solution",
                      point + reached);
    }
    *last_time = self->state.v[0] = point + length;
    instance_changed(self);
    return fmi3OK;
}
