/* Functions of the interface for what this FMU does not have: other types of variables, clocks, events, derivatives,
   model exchange, scheduled execution. The description says so, and whoever calls them anyway is told. */

#include "instance.h"

static fmi3Status absent(const Instance *instance, const char *function)
{
    return instance ? failed(instance, fmi3Error, "%s: this FMU does not have that", function) : fmi3Error;
}

/* Nothing asked of variables of a type that there are none of is no mistake. */
static fmi3Status none_of(const Instance *instance, const char *function, size_t n_references)
{
    return instance && n_references == 0 ? fmi3OK : absent(instance, function);
}

#define ABSENT(name, ...)                     \
    FMI3(fmi3Status, name)(fmi3Instance instance, __VA_ARGS__) \
    {                                         \
        return absent(instance, #name);       \
    }

#define NO_VARIABLES(type)                                                                                          \
    FMI3(fmi3Status, fmi3Get##type)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references, \
                                    fmi3##type values[], size_t n_values)                                           \
    {                                                                                                               \
        (void)references, (void)values, (void)n_values;                                                             \
        return none_of(instance, "fmi3Get" #type, n_references);                                                    \
    }                                                                                                               \
    FMI3(fmi3Status, fmi3Set##type)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references, \
                                    const fmi3##type values[], size_t n_values)                                     \
    {                                                                                                               \
        (void)references, (void)values, (void)n_values;                                                             \
        return none_of(instance, "fmi3Set" #type, n_references);                                                    \
    }

NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(Int32)
NO_VARIABLES(UInt32)
NO_VARIABLES(Int64)
NO_VARIABLES(UInt64)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)

FMI3(fmi3Status, fmi3GetBinary)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references,
                                size_t sizes[], fmi3Binary values[], size_t n_values)
{
    (void)references, (void)sizes, (void)values, (void)n_values;
    return none_of(instance, "fmi3GetBinary", n_references);
}

FMI3(fmi3Status, fmi3SetBinary)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references,
                                const size_t sizes[], const fmi3Binary values[], size_t n_values)
{
    (void)references, (void)sizes, (void)values, (void)n_values;
    return none_of(instance, "fmi3SetBinary", n_references);
}

FMI3(fmi3Status, fmi3GetClock)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references, fmi3Clock values[])
{
    (void)references, (void)values;
    return none_of(instance, "fmi3GetClock", n_references);
}

FMI3(fmi3Status, fmi3SetClock)(fmi3Instance instance, const fmi3ValueReference references[], size_t n_references, const fmi3Clock values[])
{
    (void)references, (void)values;
    return none_of(instance, "fmi3SetClock", n_references);
}

/* Clocks and their intervals */

#define OF_CLOCKS const fmi3ValueReference references[], size_t n_references
ABSENT(fmi3GetIntervalDecimal, OF_CLOCKS, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
ABSENT(fmi3GetIntervalFraction, OF_CLOCKS, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
ABSENT(fmi3GetShiftDecimal, OF_CLOCKS, fmi3Float64 shifts[])
ABSENT(fmi3GetShiftFraction, OF_CLOCKS, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
ABSENT(fmi3SetIntervalDecimal, OF_CLOCKS, const fmi3Float64 intervals[])
ABSENT(fmi3SetIntervalFraction, OF_CLOCKS, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
ABSENT(fmi3SetShiftDecimal, OF_CLOCKS, const fmi3Float64 shifts[])
ABSENT(fmi3SetShiftFraction, OF_CLOCKS, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])

/* Dependencies and derivatives */

ABSENT(fmi3GetNumberOfVariableDependencies, fmi3ValueReference reference, size_t *count)
ABSENT(fmi3GetVariableDependencies, fmi3ValueReference dependent, size_t elements[], fmi3ValueReference independents[],
       size_t elements_of_independents[], fmi3DependencyKind kinds[], size_t count)
#define DERIVED                                                                                               \
    const fmi3ValueReference unknowns[], size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns, \
        const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity
ABSENT(fmi3GetDirectionalDerivative, DERIVED)
ABSENT(fmi3GetAdjointDerivative, DERIVED)
ABSENT(fmi3GetOutputDerivatives, OF_CLOCKS, const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values)

/* Structural parameters and events */

#define ABSENT_MODE(name)                          \
    FMI3(fmi3Status, name)(fmi3Instance instance)  \
    {                                              \
        return absent(instance, #name);            \
    }

ABSENT_MODE(fmi3EnterConfigurationMode)
ABSENT_MODE(fmi3ExitConfigurationMode)
ABSENT_MODE(fmi3EnterEventMode)
ABSENT_MODE(fmi3EnterStepMode)
ABSENT_MODE(fmi3EvaluateDiscreteStates)
ABSENT(fmi3UpdateDiscreteStates, fmi3Boolean *update, fmi3Boolean *terminate, fmi3Boolean *nominals, fmi3Boolean *values,
       fmi3Boolean *next_defined, fmi3Float64 *next_time)

/* Model exchange and scheduled execution */

FMI3(fmi3Instance, fmi3InstantiateModelExchange)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    if (log)
        log(environment, fmi3Error, "logStatusError", "fmi3InstantiateModelExchange: this FMU is for co-simulation");
    return NULL;
}

FMI3(fmi3Instance, fmi3InstantiateScheduledExecution)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
 fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)update, (void)lock, (void)unlock;
    if (log)
        log(environment, fmi3Error, "logStatusError", "fmi3InstantiateScheduledExecution: this FMU is for co-simulation");
    return NULL;
}

ABSENT_MODE(fmi3EnterContinuousTimeMode)
ABSENT(fmi3CompletedIntegratorStep, fmi3Boolean no_way_back, fmi3Boolean *event, fmi3Boolean *terminate)
ABSENT(fmi3SetTime, fmi3Float64 time)
ABSENT(fmi3SetContinuousStates, const fmi3Float64 states[], size_t n_states)
ABSENT(fmi3GetContinuousStateDerivatives, fmi3Float64 derivatives[], size_t n_states)
ABSENT(fmi3GetEventIndicators, fmi3Float64 indicators[], size_t n_indicators)
ABSENT(fmi3GetContinuousStates, fmi3Float64 states[], size_t n_states)
ABSENT(fmi3GetNominalsOfContinuousStates, fmi3Float64 nominals[], size_t n_states)
ABSENT(fmi3GetNumberOfEventIndicators, size_t *n_indicators)
ABSENT(fmi3GetNumberOfContinuousStates, size_t *n_states)
ABSENT(fmi3ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 time)
