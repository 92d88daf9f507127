/** What both protocol versions share in sending a request and in waiting for its response. */
@NullMarked
package heddle.connection.request;

import org.jspecify.annotations.NullMarked;
