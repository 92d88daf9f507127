/** A search engine whose documents can be found only after the next refresh. */
@NullMarked
package heddle.bench.search;

import org.jspecify.annotations.NullMarked;
