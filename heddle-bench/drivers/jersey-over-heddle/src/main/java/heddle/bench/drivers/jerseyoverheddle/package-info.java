/** Jersey over Heddle as a raced client. */
@NullMarked
package heddle.bench.drivers.jerseyoverheddle;

import org.jspecify.annotations.NullMarked;
