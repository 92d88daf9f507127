/** Selection of proxies by origin: fixed, by rules, or from the system's settings. */
@NullMarked
package heddle.client.proxy;

import org.jspecify.annotations.NullMarked;
