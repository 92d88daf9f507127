/** What is raced: kinds of load, their participants, and named experiments. */
@NullMarked
package heddle.bench.experiment;

import org.jspecify.annotations.NullMarked;
