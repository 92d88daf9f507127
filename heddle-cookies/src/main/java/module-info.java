/** Keeps cookies as RFC 6265 and its successor say. */
module heddle.cookies {
  requires static transitive org.jspecify;
  requires transitive heddle.client;

  exports heddle.cookies;
}
