/** Who takes part in a race: clients in JVMs of their own, and load generators in C. */
@NullMarked
package heddle.bench.contender;

import org.jspecify.annotations.NullMarked;
