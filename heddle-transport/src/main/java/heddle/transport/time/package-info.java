/** Clocks, and the moments by which something must be done. */
@NullMarked
package heddle.transport.time;

import org.jspecify.annotations.NullMarked;
