/**
 * What a raced client implements: its own small world, without Heddle, so that each client runs in
 * a JVM that holds that client alone.
 *
 * <p>A driver is found through {@link java.util.ServiceLoader}, as the one {@link
 * heddle.bench.driver.Driver} on a worker's class path.
 */
@NullMarked
package heddle.bench.driver;

import org.jspecify.annotations.NullMarked;
