/* What every function of the interface needs of an instance. */

#include "instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const phase_names[] = {"instantiated", "in initialization mode", "in step mode", "terminated"};

void instance_start(Instance *instance)
{
    memcpy(instance->state.v, variable_start, sizeof instance->state.v);
    instance->state.stop_time = HUGE_VAL;
    instance->state.phase = INSTANTIATED;
    instance_changed(instance);
}

void instance_changed(Instance *instance)
{
    double *v = instance->state.v;
    if (phase_of(instance) <= INITIALIZING) {
        memcpy(v + AT_Q, v + AT_Q_START, JOINTS * sizeof *v);
        memcpy(v + AT_QD, v + AT_QD_START, JOINTS * sizeof *v);
    }
    memset(instance->is_fresh, 0, sizeof instance->is_fresh);
}

fmi3Status failed(const Instance *instance, fmi3Status status, const char *message, ...)
{
    const bool is_discard = status == fmi3Discard;
    if (instance->log && (is_discard ? instance->logs_discards : instance->logs_errors)) {
        char text[512];
        va_list values;
        va_start(values, message);
        vsnprintf(text, sizeof text, message, values);
        va_end(values);
        instance->log(instance->environment, status, is_discard ? "logStatusDiscard" : "logStatusError", text);
    }
    return status;
}

bool allowed(const Instance *instance, const char *function, Phase first, Phase last)
{
    if (!instance)
        return false;
    const Phase phase = phase_of(instance);
    if (first <= phase && phase <= last)
        return true;
    failed(instance, fmi3Error, "%s: not allowed while the instance is %s", function, phase_names[phase]);
    return false;
}
