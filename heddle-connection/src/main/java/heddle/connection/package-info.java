/** What a client's call and a server's request share with the connections that carry them. */
@NullMarked
package heddle.connection;

import org.jspecify.annotations.NullMarked;
