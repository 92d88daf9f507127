/** WebSocket (RFC 6455) over both versions of HTTP (RFC 8441), with compression (RFC 7692). */
@NullMarked
package heddle.websocket;

import org.jspecify.annotations.NullMarked;
