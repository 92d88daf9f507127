/** Heddle's client under OpenTelemetry's exporters over HTTP. */
@SuppressWarnings("requires-transitive-automatic") // OpenTelemetry's jars have names only
module heddle.adapters.otlp {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires transitive io.opentelemetry.sdk.common;
  requires heddle.adapters.support;
  requires java.logging;

  exports heddle.adapters.otlp;

  provides io.opentelemetry.sdk.common.export.HttpSenderProvider with
      heddle.adapters.otlp.HeddleHttpSenderProvider;
}
