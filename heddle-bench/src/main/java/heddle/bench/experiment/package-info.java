/** What is raced: kinds of load, who takes part in them, and experiments that have a name. */
@NullMarked
package heddle.bench.experiment;

import org.jspecify.annotations.NullMarked;
