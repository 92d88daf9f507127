/** Undertow as a server under test. */
@NullMarked
package heddle.bench.servers.undertow;

import org.jspecify.annotations.NullMarked;
