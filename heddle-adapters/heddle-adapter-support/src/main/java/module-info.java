/** Code shared by the adapters; not an API for users. */
module heddle.adapters.support {
  requires static transitive org.jspecify;
  requires transitive heddle.client;

  exports heddle.adapters.support;
  exports heddle.adapters.support.lease;
}
