/** A search engine asked by its own client, as it comes and over Heddle. */
@NullMarked
package heddle.examples.search;

import org.jspecify.annotations.NullMarked;
