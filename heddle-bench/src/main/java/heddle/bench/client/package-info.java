/** Requests that a load sends with Heddle's own client, and the cost of the generator alone. */
@NullMarked
package heddle.bench.client;

import org.jspecify.annotations.NullMarked;
