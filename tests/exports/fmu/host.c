/* A host that uses and misuses an FMU linked into it: sanitizers and valgrind watch. TOKEN is the FMU's. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3.h"

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                         const fmi3ValueReference *, size_t, fmi3InstanceEnvironment,
                                         fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64);
fmi3Status fmi3ExitInitializationMode(fmi3Instance);
fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,
                      fmi3Float64 *);
fmi3Status fmi3GetFloat64(fmi3Instance, const fmi3ValueReference *, size_t, fmi3Float64 *, size_t);
fmi3Status fmi3SetFloat64(fmi3Instance, const fmi3ValueReference *, size_t, const fmi3Float64 *, size_t);
fmi3Status fmi3GetInt32(fmi3Instance, const fmi3ValueReference *, size_t, fmi3Int32 *, size_t);
fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState *);
fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState *);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, size_t *);
fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte *, size_t);
fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte *, size_t, fmi3FMUState *);
fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String *);
fmi3Status fmi3Terminate(fmi3Instance);
fmi3Status fmi3Reset(fmi3Instance);
void fmi3FreeInstance(fmi3Instance);

static int said;

static void note(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
    (void)environment, (void)status, (void)category;
    said += message[0] != 0;
}

static void expect(int line, fmi3Status found, fmi3Status expected)
{
    if (found != expected) {
        fprintf(stderr, "line %d: status %d, expected %d\n", line, (int)found, (int)expected);
        exit(1);
    }
}
#define EXPECT(call, status) expect(__LINE__, call, status)

static fmi3Status step(fmi3Instance arm, double from, double length)
{
    bool event, terminate, early;
    double last;
    return fmi3DoStep(arm, from, length, true, &event, &terminate, &early, &last);
}

static fmi3Instance made(void)
{
    return fmi3InstantiateCoSimulation("arm", TOKEN, NULL, false, true, false, false, NULL, 0, NULL, note, NULL);
}

int main(void)
{
    fmi3Instance arms[3] = {made(), made(), made()};
    fmi3FMUState state = NULL, read = NULL;
    double value, all[4096];
    fmi3ValueReference every[4096];
    size_t count = 0, size;
    for (int i = 0; i < 3; i++) {
        EXPECT(fmi3EnterInitializationMode(arms[i], false, 0, 0, false, 0), fmi3OK);
        EXPECT(fmi3ExitInitializationMode(arms[i]), fmi3OK);
    }
    for (fmi3ValueReference k = 0; fmi3GetFloat64(arms[0], &k, 1, &value, 1) == fmi3OK; k++)
        every[count++] = k;
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < 3; i++) {
            const fmi3ValueReference input = 1;
            value = 40 * (i + 1) * sin(0.05 * k);
            EXPECT(fmi3SetFloat64(arms[i], &input, 1, &value, 1), fmi3OK);
            EXPECT(step(arms[i], 0.005 * k, 0.005), fmi3OK);
            EXPECT(fmi3GetFloat64(arms[i], every, count, all, count), fmi3OK);
        }
    }
    EXPECT(fmi3GetFMUState(arms[0], &state), fmi3OK);
    EXPECT(fmi3SerializedFMUStateSize(arms[0], state, &size), fmi3OK);
    fmi3Byte *bytes = malloc(size);
    EXPECT(fmi3SerializeFMUState(arms[0], state, bytes, size), fmi3OK);
    EXPECT(fmi3DeserializeFMUState(arms[1], bytes, size, &read), fmi3OK);
    EXPECT(fmi3SetFMUState(arms[1], read), fmi3OK);
    EXPECT(fmi3DeserializeFMUState(arms[1], bytes, size - 1, &read), fmi3Error);
    bytes[0] ^= 1;
    EXPECT(fmi3DeserializeFMUState(arms[1], bytes, size, &read), fmi3Error);
    EXPECT(step(arms[1], 1.0, 0.01), fmi3OK);
    free(bytes);
    EXPECT(fmi3FreeFMUState(arms[0], &state), fmi3OK);
    EXPECT(fmi3FreeFMUState(arms[1], &read), fmi3OK);
    /* misuse */
    const fmi3ValueReference far = 4000000000u, input = 1;
    const double no_number = NAN;
    fmi3Int32 whole;
    EXPECT(fmi3GetFloat64(arms[2], &far, 1, &value, 1), fmi3Error);
    EXPECT(fmi3GetFloat64(arms[2], NULL, 1, &value, 1), fmi3Error);
    EXPECT(fmi3GetFloat64(NULL, every, 1, &value, 1), fmi3Error);
    EXPECT(fmi3SetFloat64(arms[2], &input, 1, &no_number, 1), fmi3Discard);
    EXPECT(fmi3SetFloat64(arms[2], &far, 1, &value, 1), fmi3Error);
    EXPECT(fmi3GetInt32(arms[2], every, 1, &whole, 1), fmi3Error);
    EXPECT(fmi3DoStep(arms[2], 1.0, 0.1, true, NULL, NULL, NULL, NULL), fmi3Error);
    EXPECT(step(arms[2], 1.0, -1), fmi3Error);
    EXPECT(step(arms[2], 5.0, 0.1), fmi3Error);
    EXPECT(step(NULL, 1.0, 0.1), fmi3Error);
    EXPECT(fmi3SetFMUState(arms[2], NULL), fmi3Error);
    value = 1e14;
    EXPECT(fmi3SetFloat64(arms[2], &input, 1, &value, 1), fmi3OK);
    EXPECT(step(arms[2], 1.0, 0.1), fmi3Discard);
    EXPECT(fmi3SetDebugLogging(arms[2], false, 1, NULL), fmi3Error);
    EXPECT(fmi3Terminate(arms[2]), fmi3OK);
    EXPECT(step(arms[2], 1.0, 0.1), fmi3Error);
    EXPECT(fmi3Reset(arms[2]), fmi3OK);
    if (fmi3InstantiateCoSimulation("arm", "another", NULL, false, true, false, false, NULL, 0, NULL, note, NULL))
        return 2;
    for (int i = 0; i < 3; i++)
        fmi3FreeInstance(arms[i]);
    fmi3FreeInstance(NULL);
    printf("%lu variables, %d words\n", (unsigned long)count, said);
    return said < 10;
}
