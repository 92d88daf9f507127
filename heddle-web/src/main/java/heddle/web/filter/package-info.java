/** Filters for servers: compression, CORS, access logs, health. */
@NullMarked
package heddle.web.filter;

import org.jspecify.annotations.NullMarked;
