/** WebSocket: blocking sockets for virtual threads. */
module heddle.websocket {
  requires static transitive org.jspecify;
  requires transitive heddle.client;

  exports heddle.websocket;
}
