/** What rounds of a race allow to be said: medians with intervals, and verdicts. */
@NullMarked
package heddle.bench.stats;

import org.jspecify.annotations.NullMarked;
