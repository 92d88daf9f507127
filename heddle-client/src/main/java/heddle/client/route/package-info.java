/** Where a request is sent. */
@NullMarked
package heddle.client.route;

import org.jspecify.annotations.NullMarked;
