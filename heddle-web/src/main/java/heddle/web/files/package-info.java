/** Static files, from a directory or the class path. */
@NullMarked
package heddle.web.files;

import org.jspecify.annotations.NullMarked;
