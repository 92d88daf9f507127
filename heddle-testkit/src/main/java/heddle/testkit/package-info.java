/**
 * A network for tests: {@link heddle.testkit.SimNetwork} in memory, with seeded latency, partial
 * reads and writes, faults and virtual time; peers that follow a script; loops moved by hand.
 */
@NullMarked
package heddle.testkit;

import org.jspecify.annotations.NullMarked;
