/** A private HTTP cache by RFC 9111, in memory or on disk. */
module heddle.cache {
  requires static transitive org.jspecify;
  requires transitive heddle.client;

  exports heddle.cache;
}
