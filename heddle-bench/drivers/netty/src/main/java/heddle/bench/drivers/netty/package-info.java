/** Bare Netty as a raced client. */
@NullMarked
package heddle.bench.drivers.netty;

import org.jspecify.annotations.NullMarked;
