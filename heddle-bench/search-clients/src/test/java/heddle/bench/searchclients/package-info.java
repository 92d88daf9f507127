/** What the transports of OpenSearch's client make of a thousand callers. */
@NullMarked
package heddle.bench.searchclients;

import org.jspecify.annotations.NullMarked;
