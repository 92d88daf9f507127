/** What a load is sent to with Heddle's own client, and nothing at all. */
@NullMarked
package heddle.bench.client;

import org.jspecify.annotations.NullMarked;
