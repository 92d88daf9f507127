/** Retrofit as a raced client. */
@NullMarked
package heddle.bench.drivers.retrofit;

import org.jspecify.annotations.NullMarked;
