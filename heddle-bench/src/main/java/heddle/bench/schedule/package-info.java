/** When requests start and which threads carry them: rates, arrivals, pauses, strands. */
@NullMarked
package heddle.bench.schedule;

import org.jspecify.annotations.NullMarked;
