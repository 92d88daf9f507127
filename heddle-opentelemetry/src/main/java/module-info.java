/** Traces and metrics of clients and servers, by the semantic conventions of OpenTelemetry. */
@SuppressWarnings("requires-transitive-automatic") // their jars have no descriptor, only a name
module heddle.opentelemetry {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires static heddle.server;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires io.opentelemetry.semconv;

  exports heddle.opentelemetry;
}
