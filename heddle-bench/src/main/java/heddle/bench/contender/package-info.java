/** Participants of a race: clients, each in its own JVM, and load generators in C. */
@NullMarked
package heddle.bench.contender;

import org.jspecify.annotations.NullMarked;
