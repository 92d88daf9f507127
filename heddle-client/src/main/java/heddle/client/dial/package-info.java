/** Opens connections: names, addresses, handshakes. */
@NullMarked
package heddle.client.dial;

import org.jspecify.annotations.NullMarked;
