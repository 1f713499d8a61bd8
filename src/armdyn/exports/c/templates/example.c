/* A control loop at 1 kHz: computed torque follows a trajectory, and the arm is the exported forward
 * dynamics ($robot). Takes the seconds to run; prints how far the arm strays and how long the
 * controller took, in every cycle: mean, 99th percentile, largest. $written
 *
 * Where POSIX clocks are there the loop waits for absolute times, so that no delay adds up; elsewhere
 * it runs as fast as it can. A real-time kernel, SCHED_FIFO and locked memory are up to the system. */

#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200112L
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "$prefix.h"

#define JOINTS ${macro}_JOINTS
#define RATE 1000   /* cycles a second */
#define SUBSTEPS 4  /* steps of the simulated arm in a cycle */
#define LONGEST 60  /* seconds */

typedef $type real;

/* Angular frequency and damping of the closed loop. */
static const real OMEGA = $omega;
static const real DAMPING = $damping;
$extra
/* Positions, velocities and accelerations asked for at an instant: every joint swings about its home. */
static void reference(const real t, real q[JOINTS], real qd[JOINTS], real qdd[JOINTS])
{
    static const real home[JOINTS] = {$home};
    static const real swing[JOINTS] = {$swing};
    int j;
    for (j = 0; j < JOINTS; j++) {
        const real w = $slow + $faster * (real)j; /* each joint in its own rhythm [rad/s] */
        q[j] = home[j] + swing[j] * ($one - $cos(w * t));
        qd[j] = swing[j] * w * $sin(w * t);
        qdd[j] = swing[j] * w * w * $cos(w * t);
    }
}

/* tau = inverse(q, qd, qdd_ref + OMEGA^2 (q_ref - q) + 2 DAMPING OMEGA (qd_ref - qd)) */
static int control(const real t, const real q[JOINTS], const real qd[JOINTS], real tau[JOINTS])
{
    real q_ref[JOINTS], qd_ref[JOINTS], qdd[JOINTS];
    int j;
    reference(t, q_ref, qd_ref, qdd);
    for (j = 0; j < JOINTS; j++) {
        qdd[j] += OMEGA * OMEGA * (q_ref[j] - q[j]) + $two * DAMPING * OMEGA * (qd_ref[j] - qd[j]);
    }
    return ${prefix}_inverse(q, qd, qdd$more, tau);
}

/* The arm under constant torques for one cycle: velocities first, then positions with these. */
static int arm(real q[JOINTS], real qd[JOINTS], const real tau[JOINTS])
{
    const real dt = $one / (real)(RATE * SUBSTEPS);
    real qdd[JOINTS];
    int j, k, status = 0;
    for (k = 0; (k < SUBSTEPS) && (status == 0); k++) {
        status = ${prefix}_forward(q, qd, tau$more, qdd);
        for (j = 0; (j < JOINTS) && (status == 0); j++) {
            qd[j] += dt * qdd[j];
            q[j] += dt * qd[j];
        }
    }
    return status;
}

#if defined(CLOCK_MONOTONIC)
static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#else
static double now(void)
{
    return (double)clock() / (double)CLOCKS_PER_SEC;
}
#endif

/* Waits until the cycle that has this number, counted from the start, begins. */
static void wait_for(const double start, const int cycle)
{
#if defined(CLOCK_MONOTONIC) && defined(TIMER_ABSTIME)
    const double due = start + (double)cycle / (double)RATE;
    struct timespec t;
    t.tv_sec = (time_t)due;
    t.tv_nsec = (long)((due - (double)t.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0) {
        /* a signal came; wait on */
    }
#else
    (void)start;
    (void)cycle;
#endif
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **words)
{
    static double taken[RATE * LONGEST]; /* [s], of this example alone: the library has no such thing */
    const double asked = (count > 1) ? atof(words[1]) : 2.0;
    const int cycles = (int)((double)RATE * ((asked > 0.01) ? fmin(asked, (double)LONGEST) : 0.01));
    real q[JOINTS], qd[JOINTS], tau[JOINTS], unused[JOINTS];
    double start, sum = 0.0, farthest = 0.0;
    int cycle, j;

    reference($zero, q, qd, unused);
    start = now();
    for (cycle = 0; cycle < cycles; cycle++) {
        const real t = (real)cycle / (real)RATE;
        real q_ref[JOINTS], qd_ref[JOINTS];
        double before;
        int status;
        wait_for(start, cycle);
        before = now();
        status = control(t, q, qd, tau);
        taken[cycle] = now() - before;
        if ((status != 0) || (arm(q, qd, tau) != 0)) {
            printf("no answer after %d cycles\n", cycle);
            return EXIT_FAILURE;
        }
        reference((real)(cycle + 1) / (real)RATE, q_ref, qd_ref, unused);
        for (j = 0; j < JOINTS; j++) {
            farthest = fmax(farthest, fabs((double)(q_ref[j] - q[j])));
        }
    }
    for (cycle = 0; cycle < cycles; cycle++) {
        sum += taken[cycle];
    }
    qsort(taken, (size_t)cycles, sizeof taken[0], by_size);
    printf("%d cycles at %d Hz in %.3f s, arm at most %.2e from where it should be (rad or m)\n", cycles,
           RATE, now() - start, farthest);
    printf("controller: mean %.0f ns, p99 %.0f ns, max %.0f ns\n", 1e9 * sum / (double)cycles,
           1e9 * taken[(cycles - 1) * 99 / 100], 1e9 * taken[cycles - 1]);
    return EXIT_SUCCESS;
}
