/** In the same package as the engine's switches, which are package-private. */
@NullMarked
package heddle.connection.http2;

import org.jspecify.annotations.NullMarked;
