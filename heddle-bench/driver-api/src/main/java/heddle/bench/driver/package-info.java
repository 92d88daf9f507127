/**
 * The API that a raced client implements. It does not depend on Heddle, so that each client runs in
 * a JVM with that client only.
 *
 * <p>A driver is found through {@link java.util.ServiceLoader}, as the one {@link
 * heddle.bench.driver.Driver} on a worker's class path.
 */
@NullMarked
package heddle.bench.driver;

import org.jspecify.annotations.NullMarked;
