/** Stores of cookies for clients. */
@NullMarked
package heddle.cookies;

import org.jspecify.annotations.NullMarked;
