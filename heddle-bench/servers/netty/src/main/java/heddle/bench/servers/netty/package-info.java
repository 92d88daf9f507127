/** Netty's codecs as a server under test. */
@NullMarked
package heddle.bench.servers.netty;

import org.jspecify.annotations.NullMarked;
