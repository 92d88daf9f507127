/** Starts programs on their cores, and ends them with this process. */
@NullMarked
package heddle.load.cluster.process;

import org.jspecify.annotations.NullMarked;
