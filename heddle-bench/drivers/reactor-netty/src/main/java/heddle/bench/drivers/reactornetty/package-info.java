/** Reactor Netty as a raced client. */
@NullMarked
package heddle.bench.drivers.reactornetty;

import org.jspecify.annotations.NullMarked;
