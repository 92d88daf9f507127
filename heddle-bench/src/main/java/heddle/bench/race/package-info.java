/** Runs each client in a JVM of its own under the same load, and gathers the figures. */
@NullMarked
package heddle.bench.race;

import org.jspecify.annotations.NullMarked;
