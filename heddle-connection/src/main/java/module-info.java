/** One protocol session on one channel, and the threads that wait for it. */
module heddle.connection {
  requires static transitive org.jspecify;
  requires transitive heddle.codec;
  requires transitive heddle.http;
  requires transitive heddle.transport;

  exports heddle.connection to
      heddle.client,
      heddle.server;
  exports heddle.connection.http1 to
      heddle.client,
      heddle.server;
  exports heddle.connection.negotiate to
      heddle.client,
      heddle.server;
}
