/** Server-sent events, as the HTML standard of the WHATWG defines them (section 9.2). */
@NullMarked
package heddle.sse;

import org.jspecify.annotations.NullMarked;
