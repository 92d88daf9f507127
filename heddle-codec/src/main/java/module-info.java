/** Protocols as state machines: bytes in, events out, and back; no socket, thread or clock. */
module heddle.codec {
  requires static transitive org.jspecify;
  requires transitive heddle.http;

  exports heddle.codec to
      heddle.client,
      heddle.connection,
      heddle.testkit;
  exports heddle.codec.http1 to
      heddle.client,
      heddle.connection;
  exports heddle.codec.hpack to
      heddle.connection,
      heddle.testkit;
  exports heddle.codec.http2 to
      heddle.connection;
  exports heddle.codec.http2.frame to
      heddle.connection,
      heddle.testkit;
  exports heddle.codec.socks to
      heddle.client;
}
