/** Grizzly's client as a raced client. */
@NullMarked
package heddle.bench.drivers.grizzly;

import org.jspecify.annotations.NullMarked;
