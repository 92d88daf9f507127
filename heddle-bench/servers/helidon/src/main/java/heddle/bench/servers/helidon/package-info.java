/** Helidon as a server under test. */
@NullMarked
package heddle.bench.servers.helidon;

import org.jspecify.annotations.NullMarked;
