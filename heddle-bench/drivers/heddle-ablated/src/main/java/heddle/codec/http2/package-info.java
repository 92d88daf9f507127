/** Beside the engine's package of the same name, whose switches only it can reach. */
@NullMarked
package heddle.codec.http2;

import org.jspecify.annotations.NullMarked;
