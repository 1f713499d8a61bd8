/* Variables by their value references, and the state of an instance as a whole. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

/* Variables -------------------------------------------------------------------------------------------- */

static bool exists(const Instance *instance, const char *function, fmi3ValueReference reference)
{
    if (reference < VARIABLES)
        return true;
    failed(instance, fmi3Error, "%s: no variable has the value reference %lu, expected less than %d", function,
           (unsigned long)reference, VARIABLES);
    return false;
}

static bool are_as_many(const Instance *instance, const char *function, const void *references, size_t n_references,
                        const void *values, size_t n_values)
{
    if (n_references == n_values && (n_references == 0 || (references && values)))
        return true;
    failed(instance, fmi3Error, "%s: %lu values for %lu value references, expected one each", function,
           (unsigned long)n_values, (unsigned long)n_references);
    return false;
}

/* Compute the group of outputs to which a variable belongs, if it is one that follows from others. */
static bool is_known(Instance *instance, fmi3ValueReference reference)
{
    const int group = output_group[reference];
    if (group < 0 || instance->is_fresh[group])
        return true;
    instance->is_fresh[group] = output_update[group](instance->state.v) == FOUND;
    return instance->is_fresh[group];
}

FMI3(fmi3Status, fmi3GetFloat64)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references,
                                 fmi3Float64 values[], size_t n_values)
{
    Instance *self = instance;
    if (!allowed(self, "fmi3GetFloat64", INSTANTIATED, TERMINATED) ||
        !are_as_many(self, "fmi3GetFloat64", references, n_references, values, n_values))
        return fmi3Error;
    for (size_t i = 0; i < n_references; i++) {
        if (!exists(self, "fmi3GetFloat64", references[i]))
            return fmi3Error;
        if (!is_known(self, references[i]))
            return failed(self, fmi3Discard, "fmi3GetFloat64: %s has no value at %.9g s: no acceleration is found there",
                          variable_name[references[i]], self->state.v[0]);
        values[i] = self->state.v[references[i]];
    }
    return fmi3OK;
}

static fmi3Status checked(const Instance *instance, fmi3ValueReference reference, double value)
{
    if (!exists(instance, "fmi3SetFloat64", reference))
        return fmi3Error;
    const VariableKind kind = variable_kind[reference];
    const char *name = variable_name[reference];
    if (kind == CALCULATED)
        return failed(instance, fmi3Error, "fmi3SetFloat64: %s follows from others, expected an input or a parameter", name);
    const Phase last = kind == FIXED_PARAMETER ? INITIALIZING : STEPPING;
    if (phase_of(instance) > last)
        return failed(instance, fmi3Error, "fmi3SetFloat64: %s cannot be set any more", name);
    if (!isfinite(value))
        return failed(instance, fmi3Discard, "fmi3SetFloat64: %s is %g, expected a finite number", name, value);
    if (value < variable_minimum[reference])
        return failed(instance, fmi3Discard, "fmi3SetFloat64: %s is %g, expected no less than %g", name, value,
                      variable_minimum[reference]);
    return fmi3OK;
}

FMI3(fmi3Status, fmi3SetFloat64)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references,
                                 const fmi3Float64 values[], size_t n_values)
{
    Instance *self = instance;
    if (!allowed(self, "fmi3SetFloat64", INSTANTIATED, STEPPING) ||
        !are_as_many(self, "fmi3SetFloat64", references, n_references, values, n_values))
        return fmi3Error;
    for (size_t i = 0; i < n_references; i++) {
        const fmi3Status status = checked(self, references[i], values[i]);
        if (status != fmi3OK)
            return status; /* nothing has been set yet */
    }
    for (size_t i = 0; i < n_references; i++)
        self->state.v[references[i]] = values[i];
    instance_changed(self);
    return fmi3OK;
}

/* The state as a whole --------------------------------------------------------------------------------- */

FMI3(fmi3Status, fmi3GetFMUState)(fmi3Instance instance, fmi3FMUState *state)
{
    const Instance *self = instance;
    if (!allowed(self, "fmi3GetFMUState", INSTANTIATED, TERMINATED))
        return fmi3Error;
    if (!state)
        return failed(self, fmi3Error, "fmi3GetFMUState: no place for the state is given");
    if (!*state)
        *state = malloc(sizeof self->state);
    if (!*state)
        return failed(self, fmi3Error, "fmi3GetFMUState: no memory is left");
    memcpy(*state, &self->state, sizeof self->state);
    return fmi3OK;
}

FMI3(fmi3Status, fmi3SetFMUState)(fmi3Instance instance, fmi3FMUState state)
{
    Instance *self = instance;
    if (!allowed(self, "fmi3SetFMUState", INSTANTIATED, TERMINATED))
        return fmi3Error;
    if (!state)
        return failed(self, fmi3Error, "fmi3SetFMUState: no state is given");
    memcpy(&self->state, state, sizeof self->state);
    instance_changed(self);
    return fmi3OK;
}

FMI3(fmi3Status, fmi3FreeFMUState)(fmi3Instance instance, fmi3FMUState *state)
{
    (void)instance;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

/* Bytes of a state: the token of this FMU, whose states are no others', then the numbers as they lie. */
#define TOKEN_SIZE (sizeof INSTANTIATION_TOKEN)
#define SERIALIZED_SIZE (TOKEN_SIZE + sizeof(State))

FMI3(fmi3Status, fmi3SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState state, size_t *size)
{
    if (!allowed(instance, "fmi3SerializedFMUStateSize", INSTANTIATED, TERMINATED))
        return fmi3Error;
    if (!state || !size)
        return failed(instance, fmi3Error, "fmi3SerializedFMUStateSize: no state, or no place for its size, is given");
    *size = SERIALIZED_SIZE;
    return fmi3OK;
}

FMI3(fmi3Status, fmi3SerializeFMUState)(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    if (!allowed(instance, "fmi3SerializeFMUState", INSTANTIATED, TERMINATED))
        return fmi3Error;
    if (!state || !bytes || size < SERIALIZED_SIZE)
        return failed(instance, fmi3Error, "fmi3SerializeFMUState: room for %lu bytes is given, expected %lu",
                      (unsigned long)size, (unsigned long)SERIALIZED_SIZE);
    memcpy(bytes, INSTANTIATION_TOKEN, TOKEN_SIZE);
    memcpy(bytes + TOKEN_SIZE, state, sizeof(State));
    return fmi3OK;
}

FMI3(fmi3Status, fmi3DeserializeFMUState)(fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    State read;
    if (!allowed(instance, "fmi3DeserializeFMUState", INSTANTIATED, TERMINATED))
        return fmi3Error;
    if (!bytes || !state || size != SERIALIZED_SIZE || memcmp(bytes, INSTANTIATION_TOKEN, TOKEN_SIZE) != 0)
        return failed(instance, fmi3Error, "fmi3DeserializeFMUState: these bytes are no state of this FMU");
    memcpy(&read, bytes + TOKEN_SIZE, sizeof read);
    if (!(read.phase >= INSTANTIATED && read.phase <= TERMINATED))
        return failed(instance, fmi3Error, "fmi3DeserializeFMUState: these bytes are damaged");
    if (!*state)
        *state = malloc(sizeof read);
    if (!*state)
        return failed(instance, fmi3Error, "fmi3DeserializeFMUState: no memory is left");
    memcpy(*state, &read, sizeof read);
    return fmi3OK;
}
