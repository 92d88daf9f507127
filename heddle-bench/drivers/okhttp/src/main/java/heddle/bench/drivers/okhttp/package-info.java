/** OkHttp as a raced client. */
@NullMarked
package heddle.bench.drivers.okhttp;

import org.jspecify.annotations.NullMarked;
