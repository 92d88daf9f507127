/** Heddle's client under {@code java.net.HttpURLConnection}. */
@NullMarked
package heddle.adapters.urlconnection;

import org.jspecify.annotations.NullMarked;
