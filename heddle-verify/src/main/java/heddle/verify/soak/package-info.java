/**
 * The soak: the real client against servers that work and servers that do not, in simulated worlds
 * of which one seed decides everything, with the invariants that hold whatever happens.
 */
@NullMarked
package heddle.verify.soak;

import org.jspecify.annotations.NullMarked;
