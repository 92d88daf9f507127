/** Apache HttpClient 4.5 and HttpAsyncClient 4.1 over Heddle. */
@NullMarked
package heddle.adapters.apache4;

import org.jspecify.annotations.NullMarked;
