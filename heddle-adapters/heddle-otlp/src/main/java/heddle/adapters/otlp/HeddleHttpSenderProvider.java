package heddle.adapters.otlp;

import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;

/**
 * Provides Heddle to OpenTelemetry's exporters over HTTP, if it is the only sender on the class
 * path or the system property {@code io.opentelemetry.sdk.common.export.HttpSenderProvider} names
 * this class.
 */
public final class HeddleHttpSenderProvider implements HttpSenderProvider {
  /** For the service loader. */
  public HeddleHttpSenderProvider() {}

  /**
   * Returns a sender with these settings, all of which are honoured.
   *
   * @throws IllegalArgumentException if one of them cannot be honoured; the message names it
   */
  @Override
  public HttpSender createSender(HttpSenderConfig config) {
    return new HeddleHttpSender(config);
  }
}
