/** Heddle as a raced client, without some of its optimisations. */
@NullMarked
package heddle.bench.drivers.ablated;

import org.jspecify.annotations.NullMarked;
