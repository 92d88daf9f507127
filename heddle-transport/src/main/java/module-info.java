/** Bytes, sockets, TLS, names and time: all that a protocol's driver sees of the world. */
module heddle.transport {
  requires static transitive org.jspecify;
  requires transitive heddle.http;

  exports heddle.transport;
  exports heddle.transport.names;
  exports heddle.transport.time;
  exports heddle.transport.tls;
  exports heddle.transport.tcp to
      heddle.client,
      heddle.server,
      heddle.testkit;
}
