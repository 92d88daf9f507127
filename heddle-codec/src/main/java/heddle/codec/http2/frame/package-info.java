/**
 * What HTTP/2 looks like on the wire (RFC 9113 §4 and §6): frames, settings and error codes. A
 * frame a file, decode beside encode; nothing here knows the state of a stream or a connection.
 */
@NullMarked
package heddle.codec.http2.frame;

import org.jspecify.annotations.NullMarked;
