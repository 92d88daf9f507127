package heddle.cli.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class OtlpSettingsTest {

  private static OtlpSettings of(String url) {
    return OtlpSettings.of(url, List.of(), Map.of());
  }

  @Test
  void metricsGoBelowTheAddressOfTheCollector() {
    assertEquals("http://a:4318/v1/metrics", of("http://a:4318").endpoint().toString());
    assertEquals("http://a:4318/v1/metrics", of("http://a:4318/").endpoint().toString());
    assertEquals("https://a/b/v1/metrics", of("https://a/b").endpoint().toString());
    assertEquals("http://a/v1/metrics", of("http://a/v1/metrics").endpoint().toString());
  }

  @Test
  void environmentIsReadAndOptionsWin() {
    OtlpSettings settings = OtlpSettings.of(
        "http://a",
        List.of("b: given"),
        Map.of(
            "OTEL_EXPORTER_OTLP_HEADERS", "a=1%2C2+3, b=2",
            "OTEL_EXPORTER_OTLP_METRICS_HEADERS", "c=3",
            "OTEL_RESOURCE_ATTRIBUTES", "service.name=x,deployment=test",
            "OTEL_SERVICE_NAME", "mine",
            "OTEL_METRIC_EXPORT_INTERVAL", "1500",
            "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
                "explicit_bucket_histogram"));
    assertEquals(Map.of("a", "1,2+3", "b", "given", "c", "3"), settings.headers());
    assertEquals(Map.of("service.name", "mine", "deployment", "test"), settings.resource());
    assertEquals(Duration.ofMillis(1500), settings.interval());
    assertFalse(settings.exponential());
    assertTrue(of("http://a").exponential());
    assertEquals(Map.of("service.name", "heddle"), of("http://a").resource());
  }

  @Test
  void whatIsWrongIsNamedAndSecretsAreNot() {
    assertRefused("--otlp", () -> of("a:4318"));
    assertRefused("--otlp", () -> of("http://a b"));
    assertRefused("--otlp", () -> of("http://a/?b"));
    assertRefused("NAME: VALUE", () -> OtlpSettings.of("http://a", List.of("x"), Map.of()));
    for (String variable : List.of("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_METRIC_EXPORT_INTERVAL")) {
      assertRefused(variable, () -> OtlpSettings.of("http://a", List.of(), Map.of(variable, "x")));
    }
    var failure = assertThrows(
        IllegalArgumentException.class,
        () -> OtlpSettings.of(
            "http://a", List.of(), Map.of("OTEL_EXPORTER_OTLP_HEADERS", "key=secret%zz")));
    assertFalse(String.valueOf(failure.getMessage()).contains("secret"));
  }

  private static void assertRefused(String word, Executable made) {
    var failure = assertThrows(IllegalArgumentException.class, made);
    assertTrue(String.valueOf(failure.getMessage()).contains(word), failure::toString);
  }
}
