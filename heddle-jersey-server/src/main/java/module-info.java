/** Resources of Jersey (Jakarta REST) on Heddle's server. */
module heddle.jersey.server {
  requires static transitive org.jspecify;
  requires transitive heddle.server;
  requires transitive jakarta.ws.rs;
  requires transitive org.glassfish.jersey.core.server;
  requires jakarta.annotation;
  requires org.glassfish.jersey.core.common;
  requires org.glassfish.jersey.inject.hk2;

  exports heddle.jersey.server;

  provides org.glassfish.jersey.server.spi.ContainerProvider with
      heddle.jersey.server.HeddleProvider;
  provides org.glassfish.jersey.server.spi.WebServerProvider with
      heddle.jersey.server.HeddleProvider;
}
