/** Heddle as a raced client, without some of what makes it fast. */
@NullMarked
package heddle.bench.drivers.ablated;

import org.jspecify.annotations.NullMarked;
