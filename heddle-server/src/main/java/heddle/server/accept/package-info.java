/** Who is let in, and how everybody is seen out. */
@NullMarked
package heddle.server.accept;

import org.jspecify.annotations.NullMarked;
