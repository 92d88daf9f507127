/** Server-sent events: streams of events, and sources that reconnect. */
module heddle.sse {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires static transitive heddle.server;

  exports heddle.sse;
}
