/** A search engine in a process of its own. */
@NullMarked
package heddle.bench.searchnode;

import org.jspecify.annotations.NullMarked;
