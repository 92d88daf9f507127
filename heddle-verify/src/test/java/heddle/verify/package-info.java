/** The rules that hold the whole repository together, and proof that each of them can fail. */
@NullMarked
package heddle.verify;

import org.jspecify.annotations.NullMarked;
