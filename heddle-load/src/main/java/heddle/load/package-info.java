/** Sends requests at a given pace and measures what comes back. */
@NullMarked
package heddle.load;

import org.jspecify.annotations.NullMarked;
