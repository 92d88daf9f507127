/** Jersey over Jetty's client as a raced client. */
@NullMarked
package heddle.bench.drivers.jerseyjetty;

import org.jspecify.annotations.NullMarked;
