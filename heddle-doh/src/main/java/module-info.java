/** DNS queries over HTTPS, as a resolver of the client. */
module heddle.doh {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires org.dnsjava;

  exports heddle.doh;
}
