/** Blocking streams over files and publishers that do not hold a virtual thread's carrier. */
@NullMarked
package heddle.http.io;

import org.jspecify.annotations.NullMarked;
