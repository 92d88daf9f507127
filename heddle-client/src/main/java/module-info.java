/** The client: blocking calls from virtual threads, on few platform threads. */
module heddle.client {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires transitive heddle.transport;
  requires heddle.codec;
  requires heddle.connection;
  requires jdk.jfr;

  exports heddle.client;
  exports heddle.client.settings;
  exports heddle.client.spi;
  exports heddle.client.coding to
      heddle.adapters.feign;
  exports heddle.client.step to
      heddle.har;
}
