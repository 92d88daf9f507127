/** Armeria's client as a raced client. */
@NullMarked
package heddle.bench.drivers.armeria;

import org.jspecify.annotations.NullMarked;
