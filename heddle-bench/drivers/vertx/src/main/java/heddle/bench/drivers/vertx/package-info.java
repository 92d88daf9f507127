/** Vert.x's client as a raced client. */
@NullMarked
package heddle.bench.drivers.vertx;

import org.jspecify.annotations.NullMarked;
