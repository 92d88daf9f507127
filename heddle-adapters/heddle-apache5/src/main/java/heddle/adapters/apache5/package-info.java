/** Heddle's client under Apache HttpClient 5. */
@NullMarked
package heddle.adapters.apache5;

import org.jspecify.annotations.NullMarked;
