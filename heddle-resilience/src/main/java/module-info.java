/** Rate limits and hedged requests, as interceptors of the client. */
module heddle.resilience {
  requires static transitive org.jspecify;
  requires transitive heddle.client;

  exports heddle.resilience;
}
