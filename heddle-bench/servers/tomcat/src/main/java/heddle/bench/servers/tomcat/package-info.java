/** Tomcat as a server under test. */
@NullMarked
package heddle.bench.servers.tomcat;

import org.jspecify.annotations.NullMarked;
