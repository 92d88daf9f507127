package heddle.adapters.aws;

import java.lang.System.Logger.Level;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpService;
import software.amazon.awssdk.http.async.SdkAsyncHttpService;

/**
 * Logs, once per process, which HTTP client the SDK's clients use if none is set. The SDK prefers
 * its own clients to any other on the class path, without a message.
 */
final class Selection {
  static final Selection BLOCKING = new Selection(
      "blocking",
      SdkHttpService.class,
      HeddleHttpService.class,
      "software.amazon.awssdk.http.service.impl",
      "SYNC_HTTP_SERVICE_IMPL");

  static final Selection ASYNCHRONOUS = new Selection(
      "asynchronous",
      SdkAsyncHttpService.class,
      HeddleAsyncHttpService.class,
      "software.amazon.awssdk.http.async.service.impl",
      "ASYNC_HTTP_SERVICE_IMPL");

  private static final System.Logger LOG = System.getLogger("heddle.adapters.aws");

  private final String kind;
  private final Class<?> service;
  private final String ours;
  private final String property;
  private final String variable;
  private final AtomicBoolean logged = new AtomicBoolean();

  /**
   * @param service is loaded by the SDK
   * @param property the system property that names the implementation that the SDK uses
   * @param variable the environment variable with that meaning
   */
  private Selection(
      String kind, Class<?> service, Class<?> ours, String property, String variable) {
    this.kind = kind;
    this.service = service;
    this.ours = ours.getName();
    this.property = property;
    this.variable = variable;
  }

  /** Called when the SDK lists the implementations, before it chooses one of them. */
  void listed() {
    String others = ours.equals(named()) ? "" : others();
    if (!others.isEmpty() && logged.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "{0} clients of the AWS SDK for which no HTTP client is set do not use Heddle but {1},"
              + " which the SDK prefers: exclude the artifact that contains it, or set the system"
              + " property {2} to {3}",
          kind,
          others,
          property,
          ours);
    }
  }

  /** Called when the SDK has chosen Heddle. */
  void chosen() {
    if (logged.compareAndSet(false, true)) {
      LOG.log(
          Level.INFO,
          "{0} clients of the AWS SDK for which no HTTP client is set use Heddle",
          kind);
    }
  }

  private @Nullable String named() {
    String name = System.getProperty(property);
    return name == null ? System.getenv(variable) : name;
  }

  /** The names of the other implementations, which are not instantiated. */
  private String others() {
    return ServiceLoader.load(service).stream()
        .map(provider -> provider.type().getName())
        .filter(name -> !name.equals(ours))
        .collect(Collectors.joining(" or "));
  }
}
