/**
 * What HTTP/2 looks like on the wire (RFC 9113 §4 and §6): frames, with decode and encode, settings
 * and error codes. Nothing here knows the state of a stream or connection.
 */
@NullMarked
package heddle.codec.http2.frame;

import org.jspecify.annotations.NullMarked;
