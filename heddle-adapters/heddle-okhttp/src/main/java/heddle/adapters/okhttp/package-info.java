/** OkHttp's calls, and so Retrofit's, over Heddle's client. */
@NullMarked
package heddle.adapters.okhttp;

import org.jspecify.annotations.NullMarked;
