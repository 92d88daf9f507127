/**
 * Interfaces that users of the client implement, such as listeners, retry policies and
 * authenticators, and their standard implementations.
 */
@NullMarked
package heddle.client.spi;

import org.jspecify.annotations.NullMarked;
