/** Jetty's client as a raced client. */
@NullMarked
package heddle.bench.drivers.jetty;

import org.jspecify.annotations.NullMarked;
