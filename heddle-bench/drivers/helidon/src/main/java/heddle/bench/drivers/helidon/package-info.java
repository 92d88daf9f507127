/** Helidon's client as a raced client. */
@NullMarked
package heddle.bench.drivers.helidon;

import org.jspecify.annotations.NullMarked;
