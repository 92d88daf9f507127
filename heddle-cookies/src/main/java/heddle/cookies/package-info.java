/** Cookie stores for clients. */
@NullMarked
package heddle.cookies;

import org.jspecify.annotations.NullMarked;
