/** Records a load: histograms, interval logs, kinds of failures, the cost of the generator. */
@NullMarked
package heddle.bench.record;

import org.jspecify.annotations.NullMarked;
