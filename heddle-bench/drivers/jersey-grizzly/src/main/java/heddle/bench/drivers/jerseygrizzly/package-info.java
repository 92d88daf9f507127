/** Jersey over Grizzly's client as a raced client. */
@NullMarked
package heddle.bench.drivers.jerseygrizzly;

import org.jspecify.annotations.NullMarked;
