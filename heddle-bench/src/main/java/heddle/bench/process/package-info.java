/** Programs that a race starts, on the cores that are theirs, and ends with itself. */
@NullMarked
package heddle.bench.process;

import org.jspecify.annotations.NullMarked;
