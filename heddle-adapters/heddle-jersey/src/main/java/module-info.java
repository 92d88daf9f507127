/** Heddle's client under that of Jersey (JAX-RS). */
module heddle.adapters.jersey {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires transitive jakarta.ws.rs;
  requires transitive org.glassfish.jersey.core.client;
  requires heddle.adapters.support;
  requires heddle.cookies;
  requires org.glassfish.jersey.core.common;

  exports heddle.adapters.jersey;
}
