/** Calls of Retrofit's, as it comes and over Heddle. */
@NullMarked
package heddle.examples.retrofit;

import org.jspecify.annotations.NullMarked;
