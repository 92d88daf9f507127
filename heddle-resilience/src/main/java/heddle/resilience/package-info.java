/** Rate limits and hedged requests, as interceptors of the client. */
@NullMarked
package heddle.resilience;

import org.jspecify.annotations.NullMarked;
