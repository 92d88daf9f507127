/** AsyncHttpClient as a raced client. */
@NullMarked
package heddle.bench.drivers.asynchttpclient;

import org.jspecify.annotations.NullMarked;
