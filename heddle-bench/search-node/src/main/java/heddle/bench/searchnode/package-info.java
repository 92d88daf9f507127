/** A search engine in its own process. */
@NullMarked
package heddle.bench.searchnode;

import org.jspecify.annotations.NullMarked;
