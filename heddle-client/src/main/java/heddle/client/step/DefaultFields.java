package heddle.client.step;

import heddle.client.spi.Interceptor;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds fields to requests that do not have them, before redirects are followed, so that those treat
 * them as the caller's. Safe for use by many threads.
 *
 * @param home the only origin that gets credentials; null if each origin that is called gets them
 */
public record DefaultFields(Headers fields, @Nullable Origin home) implements Interceptor {
  private static final Set<HeaderName> CREDENTIALS =
      Set.of(HeaderName.AUTHORIZATION, HeaderName.COOKIE, HeaderName.PROXY_AUTHORIZATION);

  /** The User-Agent of a client that was given none: {@code heddle/VERSION (Java)}. */
  public static String userAgent() {
    return "heddle/" + version() + " (Java)";
  }

  /** The version of this library, as the build has written it. */
  public static String version() {
    return Version.TEXT;
  }

  /** Read once a client needs it. */
  private static final class Version {
    private static final String TEXT = read();

    /** What the build has written into this file. */
    private static String read() {
      try (InputStream file = DefaultFields.class.getResourceAsStream("version.properties")) {
        if (file == null) {
          return "unknown"; // Repackaged without its resources.
        }
        Properties properties = new Properties();
        properties.load(file);
        return properties.getProperty("version", "unknown");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Whether each origin gets the same of the fields. */
  public boolean isSameForAll() {
    return home == null || CREDENTIALS.stream().noneMatch(fields::contains);
  }

  /** Adds the fields to those that are made of a request's, unless the request has them. */
  public void addTo(Headers.Builder next, Request request) {
    for (Headers.Field field : fields) {
      HeaderName name = field.name();
      if (!request.headers().contains(name) && mayGo(name, request.origin())) {
        next.add(name, field.value());
      }
    }
  }

  private boolean mayGo(HeaderName name, Origin to) {
    return home == null || home.equals(to) || !CREDENTIALS.contains(name);
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    Headers.Builder next = request.headers().toBuilder();
    addTo(next, request);
    return chain.proceed(request.toBuilder().headers(next.build()).build());
  }
}
