/** Every raced client against servers of ours, each loaded as a race loads it. */
@NullMarked
package heddle.bench.conformance;

import org.jspecify.annotations.NullMarked;
