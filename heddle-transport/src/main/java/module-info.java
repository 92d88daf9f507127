/** Bytes, sockets, TLS, names and time: all that a protocol's driver sees of the world. */
module heddle.transport {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires jdk.net;

  exports heddle.transport.names;
  exports heddle.transport.time;
  exports heddle.transport.tls;
  exports heddle.transport to
      heddle.adapters.apache5,
      heddle.adapters.aws,
      heddle.adapters.jdk,
      heddle.adapters.support,
      heddle.client,
      heddle.connection,
      heddle.doh,
      heddle.httpserver,
      heddle.okhttp,
      heddle.server,
      heddle.testkit;
  exports heddle.transport.tcp to
      heddle.client,
      heddle.httpserver,
      heddle.server,
      heddle.testkit;
}
