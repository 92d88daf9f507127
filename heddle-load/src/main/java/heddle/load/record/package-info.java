/** Records a load: histograms, interval logs, kinds of failures, the cost of the generator. */
@NullMarked
package heddle.load.record;

import org.jspecify.annotations.NullMarked;
