/** Jersey as a raced client. */
@NullMarked
package heddle.bench.drivers.jersey;

import org.jspecify.annotations.NullMarked;
