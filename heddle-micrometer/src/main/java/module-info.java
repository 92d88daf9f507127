/** Meters for clients and servers, by the conventions of Micrometer. */
@SuppressWarnings("requires-transitive-automatic") // its jar has no descriptor, only a name
module heddle.micrometer {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires static heddle.server;
  requires transitive micrometer.core;

  exports heddle.micrometer;
}
