/** The server as its users see it. */
@NullMarked
package heddle.server;

import org.jspecify.annotations.NullMarked;
