/** The contracts between a protocol's driver and the world: channels, loops, networks. */
@NullMarked
package heddle.transport;

import org.jspecify.annotations.NullMarked;
