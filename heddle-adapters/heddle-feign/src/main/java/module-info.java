/** Heddle's client under Feign. */
module heddle.adapters.feign {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires transitive feign.core;
  requires heddle.adapters.support;

  exports heddle.adapters.feign;
}
