/** Goals that a run is to reach, as a person writes them. */
@NullMarked
package heddle.bench.slo;

import org.jspecify.annotations.NullMarked;
