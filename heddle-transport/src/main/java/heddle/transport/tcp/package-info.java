/** TCP on {@code java.nio}: the only user of sockets and selectors. */
@NullMarked
package heddle.transport.tcp;

import org.jspecify.annotations.NullMarked;
