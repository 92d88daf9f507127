/** When requests start and which threads carry them: rates, arrivals, pauses, strands. */
@NullMarked
package heddle.load.schedule;

import org.jspecify.annotations.NullMarked;
