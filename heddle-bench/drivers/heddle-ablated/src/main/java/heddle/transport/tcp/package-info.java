/** In the same package as the engine's switches, which are package-private. */
@NullMarked
package heddle.transport.tcp;

import org.jspecify.annotations.NullMarked;
