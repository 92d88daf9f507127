/** Calls to a search engine with its own client, unchanged and over Heddle. */
@NullMarked
package heddle.examples.search;

import org.jspecify.annotations.NullMarked;
