/** Heddle's client as a {@code java.net.http.HttpClient}. */
module heddle.adapters.jdk {
  requires static transitive org.jspecify;
  requires transitive java.net.http;
  requires heddle.adapters.support;
  requires heddle.client;
  requires heddle.websocket;

  exports heddle.adapters.jdk;
}
