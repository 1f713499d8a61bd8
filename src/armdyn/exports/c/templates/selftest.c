/* Holds every function of $prefix.h against values that armdyn computed ($robot).
 * Prints a line for each and returns how many failed. $written */

#include <math.h>
#include <stdio.h>

#include "$prefix.h"

/* The largest difference of two arrays, as a share of what is allowed; NaN counts as infinite. */
static double share($type_const *const found, $type_const *const expected, const int size,
                    const double allowed)
{
    double largest = 0.0;
    int k;
    for (k = 0; k < size; k++) {
        const double difference = fabs((double)found[k] - (double)expected[k]) / allowed;
        if (!(difference <= largest)) {
            largest = isfinite(difference) ? difference : HUGE_VAL;
        }
    }
    return largest;
}

static int said(const char *const name, const int states, const double worst, const int failed)
{
    const int good = ((failed == 0) && (worst <= 1.0)) ? 1 : 0;
    printf("%s %s: %d states, largest error %.2g of what is allowed, %d wrong answers\n",
           (good != 0) ? "ok    " : "FAILED", name, states, worst, failed);
    return (good != 0) ? 0 : 1;
}

$tests
int main(void)
{
    int failed = 0;
$calls
    if (failed == 0) {
        printf("ok\n");
    }
    return failed;
}
