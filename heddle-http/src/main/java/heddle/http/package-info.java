/** Values of HTTP: requests, responses, fields, bodies, and what can go wrong. */
@NullMarked
package heddle.http;

import org.jspecify.annotations.NullMarked;
