/** Client and server together in a simulated world, with faults at random. */
@NullMarked
package heddle.verify.soak;

import org.jspecify.annotations.NullMarked;
