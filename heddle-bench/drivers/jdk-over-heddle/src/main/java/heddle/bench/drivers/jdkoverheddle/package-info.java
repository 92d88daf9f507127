/** The API of the JDK's client over Heddle, as a raced client. */
@NullMarked
package heddle.bench.drivers.jdkoverheddle;

import org.jspecify.annotations.NullMarked;
