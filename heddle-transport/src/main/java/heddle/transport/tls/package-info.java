/** TLS over any channel: the only user of {@code SSLEngine}. */
@NullMarked
package heddle.transport.tls;

import org.jspecify.annotations.NullMarked;
