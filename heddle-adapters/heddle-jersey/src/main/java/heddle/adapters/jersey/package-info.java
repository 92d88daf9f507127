/** Jersey's client over Heddle. */
@NullMarked
package heddle.adapters.jersey;

import org.jspecify.annotations.NullMarked;
