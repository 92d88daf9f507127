/** Compression of header fields for HTTP/2, RFC 7541: bytes to fields and back. */
@NullMarked
package heddle.codec.hpack;

import org.jspecify.annotations.NullMarked;
