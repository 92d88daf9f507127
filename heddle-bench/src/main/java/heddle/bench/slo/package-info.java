/** Goals of a run, as users write them. */
@NullMarked
package heddle.bench.slo;

import org.jspecify.annotations.NullMarked;
