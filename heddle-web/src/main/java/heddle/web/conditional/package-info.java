/** Validators, conditional requests and ranges: RFC 9110 sections 8.8, 13 and 14. */
@NullMarked
package heddle.web.conditional;

import org.jspecify.annotations.NullMarked;
