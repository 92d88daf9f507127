/** Activity of the machine outside the race: CPU time of other programs, and waiting. */
@NullMarked
package heddle.bench.machine;

import org.jspecify.annotations.NullMarked;
