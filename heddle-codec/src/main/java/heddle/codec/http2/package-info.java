/**
 * HTTP/2 as state machines (RFC 9113): bytes in, events out, and back; streams, flow control, and
 * the guard against floods.
 */
@NullMarked
package heddle.codec.http2;

import org.jspecify.annotations.NullMarked;
