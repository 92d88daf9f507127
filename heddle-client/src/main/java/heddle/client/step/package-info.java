/**
 * The client's built-in steps of a call, each an {@link heddle.client.spi.Interceptor} that depends
 * only on requests and responses. {@code HttpClient.Builder} puts them into their order; other
 * interceptors may use them too.
 */
@NullMarked
package heddle.client.step;

import org.jspecify.annotations.NullMarked;
