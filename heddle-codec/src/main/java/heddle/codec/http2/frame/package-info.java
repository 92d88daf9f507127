/**
 * What HTTP/2 looks like on the wire (RFC 9113 §4 and §6): frames, settings and error codes. One
 * file per frame, with decode and encode; nothing here knows the state of a stream or connection.
 */
@NullMarked
package heddle.codec.http2.frame;

import org.jspecify.annotations.NullMarked;
