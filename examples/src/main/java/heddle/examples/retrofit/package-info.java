/** Calls of Retrofit, unchanged and over Heddle. */
@NullMarked
package heddle.examples.retrofit;

import org.jspecify.annotations.NullMarked;
