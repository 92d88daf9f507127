/** Bodies of requests whose callers write to the connection themselves. */
@NullMarked
package heddle.http.duplex;

import org.jspecify.annotations.NullMarked;
