/** The JDK's HttpURLConnection as a raced client. */
@NullMarked
package heddle.bench.drivers.urlconnection;

import org.jspecify.annotations.NullMarked;
