package heddle.adapters.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testwatch.ClassPath;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which HTTP client the SDK uses if none is set, and what is logged about it. Each choice is made
 * by the SDK's own classes in a class loader, because the SDK remembers it.
 */
@Timeout(60)
@Isolated("it sets system properties")
class SelectionTest {
  /** Of clients, as the SDK distinguishes them. */
  private enum Kind {
    BLOCKING(
        "Sdk",
        "http.SdkHttpClient",
        "apache5-client",
        "Apache5SdkHttpService",
        "software.amazon.awssdk.http.service.impl",
        HeddleHttpService.class),
    ASYNCHRONOUS(
        "SdkAsync",
        "http.async.SdkAsyncHttpClient",
        "netty-nio-client",
        "NettySdkAsyncHttpService",
        "software.amazon.awssdk.http.async.service.impl",
        HeddleAsyncHttpService.class);

    private final String builder;
    private final String type;
    private final String artifact;
    private final String service;
    private final String property;
    private final Class<?> ours;

    Kind(
        String builder,
        String type,
        String artifact,
        String service,
        String property,
        Class<?> ours) {
      this.builder = "software.amazon.awssdk.core.internal.http.loader.Default" + builder
          + "HttpClientBuilder";
      this.type = "software.amazon.awssdk." + type;
      this.artifact = artifact;
      this.service = service;
      this.property = property;
      this.ours = ours;
    }

    /** Returns the name of the client that the SDK makes. */
    String chosenIn(ClassLoader loader) throws Exception {
      Class<?> client = loader.loadClass(type);
      Class<?> options = loader.loadClass("software.amazon.awssdk.utils.AttributeMap");
      Object builder = loader.loadClass(this.builder).getConstructor().newInstance();
      Object made = loader
          .loadClass(type + "$Builder")
          .getMethod("buildWithDefaults", options)
          .invoke(builder, options.getMethod("empty").invoke(null));
      try (AutoCloseable closed = (AutoCloseable) made) {
        return (String) client.getMethod("clientName").invoke(closed);
      }
    }
  }

  private static final Logger LOGGER = Logger.getLogger("heddle.adapters.aws");

  private final List<LogRecord> logged = new ArrayList<>();
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord record) {
      logged.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  @AfterEach
  void removeHandler() {
    LOGGER.removeHandler(handler);
  }

  /** Makes two clients, with the artifacts of the class path. */
  private String choose(Kind kind) throws Exception {
    return choose(kind, "no such artifact");
  }

  /** Makes two clients, with the artifacts of the class path but for this one. */
  private String choose(Kind kind, String without) throws Exception {
    LOGGER.addHandler(handler);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = ClassPath.without(without)) {
      Thread.currentThread().setContextClassLoader(loader);
      String first = kind.chosenIn(loader);
      assertEquals(first, kind.chosenIn(loader));
      return first;
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private String onlyMessage(Level level) {
    assertEquals(
        1, logged.size(), () -> logged.stream().map(LogRecord::getMessage).toList() + "");
    assertEquals(level, logged.getFirst().getLevel());
    return new SimpleFormatter().formatMessage(logged.getFirst());
  }

  @ParameterizedTest
  @EnumSource
  void heddleIsUsedIfNoOtherClientIsOnTheClassPath(Kind kind) throws Exception {
    assertTrue(choose(kind, kind.artifact).startsWith("Heddle"));
    assertTrue(onlyMessage(Level.INFO).endsWith(" use Heddle"));
  }

  @ParameterizedTest
  @EnumSource
  void theSdksOwnClientIsPreferredAndNamedInAWarningWithTheRemedy(Kind kind) throws Exception {
    assertTrue(kind.service.startsWith(choose(kind).substring(0, 5)));
    String message = onlyMessage(Level.WARNING);
    assertTrue(message.contains("not use Heddle but software.amazon.awssdk."), message);
    assertTrue(message.contains(kind.service + ","), message);
    assertTrue(message.contains(kind.property + " to " + kind.ours.getName()), message);
  }

  @ParameterizedTest
  @EnumSource
  void theSystemPropertyChoosesHeddle(Kind kind) throws Exception {
    System.setProperty(kind.property, kind.ours.getName());
    try {
      assertTrue(choose(kind).startsWith("Heddle"));
    } finally {
      System.clearProperty(kind.property);
    }
    assertTrue(onlyMessage(Level.INFO).endsWith(" use Heddle"));
  }
}
