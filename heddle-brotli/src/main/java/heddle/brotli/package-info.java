/** The content coding br (RFC 7932). */
@NullMarked
package heddle.brotli;

import org.jspecify.annotations.NullMarked;
