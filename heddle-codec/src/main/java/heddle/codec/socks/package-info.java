/** SOCKS 5: RFC 1928, with the user names and passwords of RFC 1929. */
@NullMarked
package heddle.codec.socks;

import org.jspecify.annotations.NullMarked;
