/**
 * The client's own steps of a call, each an {@link heddle.client.spi.Interceptor} that knows of
 * requests and responses alone. {@code HttpClient.Builder} puts them into their order; they may be
 * used by interceptors of other kinds as well.
 */
@NullMarked
package heddle.client.step;

import org.jspecify.annotations.NullMarked;
