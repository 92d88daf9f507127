/** HTTP/1.1 messages, RFC 9112. */
@NullMarked
package heddle.codec.http1;

import org.jspecify.annotations.NullMarked;
