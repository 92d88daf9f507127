/** OkHttp over Heddle as a raced client. */
@NullMarked
package heddle.bench.drivers.okhttpoverheddle;

import org.jspecify.annotations.NullMarked;
