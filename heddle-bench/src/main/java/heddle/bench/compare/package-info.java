/** Compares two races, and checks the goals of one. */
@NullMarked
package heddle.bench.compare;

import org.jspecify.annotations.NullMarked;
