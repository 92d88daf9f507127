/** What the machine does beside the race: who else takes time, and who must wait. */
@NullMarked
package heddle.bench.machine;

import org.jspecify.annotations.NullMarked;
