/** An HTTP server that answers each request on a thread that may block. */
module heddle.server {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires transitive heddle.transport;
  requires heddle.connection;

  exports heddle.server;
  exports heddle.server.proxy;
  exports heddle.server.spi;
}
