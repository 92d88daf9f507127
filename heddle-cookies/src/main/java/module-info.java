/** Cookie stores by RFC 6265 and its successor. */
module heddle.cookies {
  requires static transitive org.jspecify;
  requires transitive heddle.client;

  exports heddle.cookies;
}
