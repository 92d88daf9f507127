/** In the same package as the engine's switches, which are package-private. */
@NullMarked
package heddle.codec.http2;

import org.jspecify.annotations.NullMarked;
