/** JSON by Gson. */
@NullMarked
package heddle.gson;

import org.jspecify.annotations.NullMarked;
