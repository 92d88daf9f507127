/** HTTP/1.1 sessions driven over channels, on both sides. */
@NullMarked
package heddle.connection.http1;

import org.jspecify.annotations.NullMarked;
