/** JSON by Jackson 2. */
@NullMarked
package heddle.jackson2;

import org.jspecify.annotations.NullMarked;
