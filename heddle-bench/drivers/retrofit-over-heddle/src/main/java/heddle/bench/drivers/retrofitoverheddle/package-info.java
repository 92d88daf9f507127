/** Retrofit over Heddle as a raced client. */
@NullMarked
package heddle.bench.drivers.retrofitoverheddle;

import org.jspecify.annotations.NullMarked;
