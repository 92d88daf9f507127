/** What several adapters need; for them alone. */
module heddle.adapters.support {
  requires static transitive org.jspecify;
  requires transitive heddle.client;

  exports heddle.adapters.support;
}
