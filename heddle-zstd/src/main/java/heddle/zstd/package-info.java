/** The content coding zstd (RFC 8878). */
@NullMarked
package heddle.zstd;

import org.jspecify.annotations.NullMarked;
