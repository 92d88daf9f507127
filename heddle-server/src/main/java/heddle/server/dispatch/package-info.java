/** From a request that has arrived to the handler's thread. */
@NullMarked
package heddle.server.dispatch;

import org.jspecify.annotations.NullMarked;
