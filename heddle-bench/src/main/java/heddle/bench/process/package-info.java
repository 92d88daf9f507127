/** Starts programs on their cores, and ends them with this process. */
@NullMarked
package heddle.bench.process;

import org.jspecify.annotations.NullMarked;
