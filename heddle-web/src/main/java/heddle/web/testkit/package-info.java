/** Calls handlers and routers in tests, without a server and a socket. */
@NullMarked
package heddle.web.testkit;

import org.jspecify.annotations.NullMarked;
