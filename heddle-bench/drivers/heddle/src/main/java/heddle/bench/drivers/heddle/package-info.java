/** Heddle as a raced client. */
@NullMarked
package heddle.bench.drivers.heddle;

import org.jspecify.annotations.NullMarked;
