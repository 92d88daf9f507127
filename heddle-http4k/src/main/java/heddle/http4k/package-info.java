/** Handlers of http4k on Heddle's server. */
@NullMarked
package heddle.http4k;

import org.jspecify.annotations.NullMarked;
