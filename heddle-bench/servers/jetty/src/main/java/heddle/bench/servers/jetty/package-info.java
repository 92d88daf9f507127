/** Jetty as a server under test. */
@NullMarked
package heddle.bench.servers.jetty;

import org.jspecify.annotations.NullMarked;
