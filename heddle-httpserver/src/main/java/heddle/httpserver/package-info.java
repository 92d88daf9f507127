/** A provider of servers for the API of {@code com.sun.net.httpserver}. */
@NullMarked
package heddle.httpserver;

import org.jspecify.annotations.NullMarked;
