/** Admits connections and requests, and closes them when the server ends. */
@NullMarked
package heddle.server.accept;

import org.jspecify.annotations.NullMarked;
