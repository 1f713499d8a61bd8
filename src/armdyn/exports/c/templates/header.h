/* $title
 *
$about
 *
 * Everything is in SI units: m, rad, kg, s, N, N m. Joints count from 0 here, in the order above.
 * The base frame is the reference: gravity, wrenches and Jacobians have its axes. Linear parts come
 * first. A matrix is stored row by row. Torques: H qdd + C qd + g + J^T h$friction_term = tau.
 *
 * Every function returns $OK, or
 *   $NOT_FINITE  where a result is no finite number: something given is not finite, or the equations
 *     have no answer there, such as a singular mass matrix; results must not be used then;
$undecided * Results are written last and may lie where something given lies. No function allocates, keeps
 * anything between two calls, or calls anything but <math.h>: all may be called from any thread.
 *
 * In the .c file a comment names what a block of statements stems from. Outwards, from the base to
 * the tool: where a body is, how it moves, what that takes. Inwards: the same of a body with all that
 * it carries. Do not compile it with -ffast-math: functions look for what is not finite.
$sines */
#ifndef $guard
#define $guard

#define ${macro}_JOINTS $n
#define ${macro}_OK $OK
#define ${macro}_NOT_FINITE $NOT_FINITE
#define ${macro}_UNDECIDED $UNDECIDED

#ifdef __cplusplus
extern "C" {
#endif

$functions
#ifdef __cplusplus
}
#endif

#endif /* $guard */
