/** Apache's client over its own connections and over Heddle's, side by side. */
@NullMarked
package heddle.adapters.apache5.comparison;

import org.jspecify.annotations.NullMarked;
