/** Blocking streams over files, publishers and pipes that hold no virtual thread's carrier. */
@NullMarked
package heddle.http.io;

import org.jspecify.annotations.NullMarked;
