/* Joints that cannot move while none of these friction points does get no acceleration at all.
 * The rows of the points that stick are eliminated; a joint is held where they span its own row. */
static void hold_still(const int sticks[$points], $type qdd[$n])
{
    static const $type weights[$points][$n] = {
$weights
    };
    $type rows[$points][$n];
    int k, i, j, rank = 0;

    for (k = 0; k < $points; k++) {
        for (j = 0; j < $n; j++) {
            rows[k][j] = (sticks[k] != 0) ? weights[k][j] : $zero;
        }
    }
    for (j = 0; (j < $n) && (rank < $points); j++) {
        int best = rank;
        for (k = rank + 1; k < $points; k++) {
            if ($fabs(rows[k][j]) > $fabs(rows[best][j])) {
                best = k;
            }
        }
        if ($fabs(rows[best][j]) > $rounding) {
            const $type pivot = rows[best][j];
            for (i = 0; i < $n; i++) {
                const $type moved = rows[best][i] / pivot;
                rows[best][i] = rows[rank][i];
                rows[rank][i] = moved;
            }
            for (k = 0; k < $points; k++) {
                const $type factor = rows[k][j];
                if (k != rank) {
                    for (i = 0; i < $n; i++) {
                        rows[k][i] -= factor * rows[rank][i];
                    }
                }
            }
            rank++;
        }
    }
    for (k = 0; k < rank; k++) {
        int lead = -1, others = 0;
        for (j = 0; j < $n; j++) {
            if ($fabs(rows[k][j]) > $rounding) {
                if (lead < 0) {
                    lead = j;
                } else {
                    others++;
                }
            }
        }
        if ((lead >= 0) && (others == 0)) {
            qdd[lead] = $zero;
        }
    }
}

/* Whether a point sticks (0), or which way it slides. */
static int way_of(const $type taken, const $type held)
{
    return (taken == held) ? 0 : ((held > $zero) ? 1 : ((held < $zero) ? -1 : 0));
}

/* What is asked of friction if only the first point that wants to changes between sticking and
 * sliding: Murty's least-index rule, which does not go round in circles. */
static void first_change($state, const $type before[$n], const $type held[$points],
                         const $type after[$n], $type asked[$points])
{
    $type rubbing[$n], taken[$points], taken_after[$points], running[$points];
    int k, changed = 0;

    (void)$rest($given, before, held$more, rubbing, taken, running);
    (void)$rest($given, after, asked$more, rubbing, taken_after, running);
    for (k = 0; k < $points; k++) {
        changed += (way_of(taken[k], held[k]) != way_of(taken_after[k], asked[k])) ? 1 : 0;
    }
    if (changed > 0) {
        int done = 0;
        for (k = 0; k < $points; k++) {
            const int old_way = way_of(taken[k], held[k]);
            const int new_way = way_of(taken_after[k], asked[k]);
            if ((done == 0) && (old_way != new_way)) {
                done = 1;
                asked[k] = (new_way == 0) ? $zero : asked[k];
            } else {
                asked[k] = (old_way == 0) ? $zero : held[k];
            }
        }
    }
}

/* Accelerations where dry friction decides what stays at rest: Newton's method on accelerations and
 * friction together, $attempts steps at most. Returns 0, or 2 where they are not found. */
static int from_rest($state, const $type tau[$n], $type qdd[$n])
{
    $type now[$n] = {$zero}, held[$points] = {$zero};
    $type following[$n], asked[$points], wrong[1];
    $type best[$n] = {$zero}, best_held[$points] = {$zero};
    $type rubbing[$n], taken[$points], running[$points];
    $type smallest = $infinity, allowed = $zero;
    int sticks[$points];
    int attempt, k, going = 1;

    for (attempt = 0; (attempt < $attempts) && (going != 0); attempt++) {
        going = ($step($given, now, held, tau$more, following, asked, wrong) == 0) ? 1 : 0;
        if ((going != 0) && (attempt == 0)) {
            $type largest = $zero;
            for (k = 0; k < $n; k++) {
                largest = ($fabs(tau[k]) > largest) ? $fabs(tau[k]) : largest;
            }
            allowed = $settled * ($scale + largest + wrong[0]);
        }
        if ((going != 0) && (wrong[0] / allowed < smallest)) {
            smallest = wrong[0] / allowed;
            for (k = 0; k < $n; k++) {
                best[k] = now[k];
            }
            for (k = 0; k < $points; k++) {
                best_held[k] = held[k];
            }
        }
        if (smallest <= $one) {
            going = 0;
        }
        if (going != 0) {
            $type length = $one;
            if ((attempt >= $full) && (attempt < $pivots)) {
                first_change($given$more, now, held, following, asked);
            } else if (attempt >= $pivots) { /* shorter steps of changing length lead out of circles */
                length = $shortest + $span * $fmod(($type)attempt * $golden, $one);
            } else {
                /* full steps end where pieces settle */
            }
            for (k = 0; k < $n; k++) {
                now[k] = (attempt < $pivots) ? following[k] : (now[k] + length * (following[k] - now[k]));
            }
            for (k = 0; k < $points; k++) {
                held[k] = (attempt < $pivots) ? asked[k] : (held[k] + length * (asked[k] - held[k]));
            }
        }
    }
    if (!(smallest <= $found)) {
        return 2;
    }
    (void)$rest($given, best, best_held$more, rubbing, taken, running);
    for (k = 0; k < $points; k++) {
        sticks[k] = (running[k] <= $noise * allowed) ? 1 : 0;
    }
    hold_still(sticks, best);
    for (k = 0; k < $n; k++) {
        qdd[k] = best[k];
    }
    return 0;
}

