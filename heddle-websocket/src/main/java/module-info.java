/** WebSocket: blocking sockets for virtual threads. */
module heddle.websocket {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires static heddle.server;

  exports heddle.websocket;
}
