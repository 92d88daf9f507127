/** Targets of a load: requests sent with Heddle's own client, and a client that sends nothing. */
@NullMarked
package heddle.bench.client;

import org.jspecify.annotations.NullMarked;
