/** Which proxy for which origin: fixed, by rules, or as the system says. */
@NullMarked
package heddle.client.proxy;

import org.jspecify.annotations.NullMarked;
