/** JSON by Jackson 3. */
@NullMarked
package heddle.jackson3;

import org.jspecify.annotations.NullMarked;
