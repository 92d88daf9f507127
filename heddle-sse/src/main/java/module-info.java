/** Server-sent events: streams of events, and sources that reconnect. */
module heddle.sse {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires static heddle.server;

  exports heddle.sse;
}
