/** What a load is recorded in: histograms, interval logs, kinds of failures, the generator. */
@NullMarked
package heddle.bench.record;

import org.jspecify.annotations.NullMarked;
