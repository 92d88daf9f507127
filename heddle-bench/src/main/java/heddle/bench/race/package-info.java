/** Runs each client in its own JVM under the same load, and gathers the figures. */
@NullMarked
package heddle.bench.race;

import org.jspecify.annotations.NullMarked;
