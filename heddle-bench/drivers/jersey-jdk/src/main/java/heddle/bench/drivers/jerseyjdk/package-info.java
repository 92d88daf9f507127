/** Jersey over its JDK connector as a raced client. */
@NullMarked
package heddle.bench.drivers.jerseyjdk;

import org.jspecify.annotations.NullMarked;
