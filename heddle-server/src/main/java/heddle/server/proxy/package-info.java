/** What a server believes of the proxies in front of it. */
@NullMarked
package heddle.server.proxy;

import org.jspecify.annotations.NullMarked;
