/** The calls of {@code java.net.http} over Heddle's client. */
@NullMarked
package heddle.adapters.jdk;

import org.jspecify.annotations.NullMarked;
