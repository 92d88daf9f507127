/** HTTP/2: drives one session over one channel, for many exchanges at the same time. */
@NullMarked
package heddle.connection.http2;

import org.jspecify.annotations.NullMarked;
