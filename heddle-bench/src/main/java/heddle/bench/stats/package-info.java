/** The statistics of a race: medians with intervals, and verdicts. */
@NullMarked
package heddle.bench.stats;

import org.jspecify.annotations.NullMarked;
