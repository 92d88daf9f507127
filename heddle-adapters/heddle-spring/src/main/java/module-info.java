/** Heddle's client under Spring's RestClient, RestTemplate and HTTP interfaces. */
@SuppressWarnings("requires-transitive-automatic") // Spring's jars have no descriptor, only names
module heddle.adapters.spring {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires transitive spring.beans;
  requires transitive spring.web;
  requires heddle.adapters.support;
  requires spring.core;

  exports heddle.adapters.spring;
}
