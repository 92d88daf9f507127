/** DNS queries over HTTPS (RFC 8484). */
@NullMarked
package heddle.doh;

import org.jspecify.annotations.NullMarked;
