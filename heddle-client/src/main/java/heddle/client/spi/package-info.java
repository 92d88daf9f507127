/**
 * Interfaces that users of the client implement, such as listeners, interceptors and
 * authenticators, and their standard implementations; and what the client tells users: about a
 * call, a connection, its routes, and the state of its pool.
 */
@NullMarked
package heddle.client.spi;

import org.jspecify.annotations.NullMarked;
