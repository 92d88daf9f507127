/** The JDK's own client as a raced client. */
@NullMarked
package heddle.bench.drivers.jdk;

import org.jspecify.annotations.NullMarked;
