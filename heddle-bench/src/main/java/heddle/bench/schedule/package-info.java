/** When requests start and what carries them: rates that change, arrivals, pauses, strands. */
@NullMarked
package heddle.bench.schedule;

import org.jspecify.annotations.NullMarked;
