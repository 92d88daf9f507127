package heddle.client.step;

import heddle.client.spi.Interceptor;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * Adds User-Agent to requests without it (RFC 9110 section 10.1.5). Safe for use by many threads.
 */
public final class UserAgent implements Interceptor {
  /** {@code heddle/VERSION (Java)}. */
  public static final UserAgent DEFAULT = new UserAgent("heddle/" + version() + " (Java)");

  private final String value;

  /**
   * @throws IllegalArgumentException if it cannot be the value of a field
   */
  public UserAgent(String value) {
    this.value = value;
    Headers.builder().add(HeaderName.USER_AGENT, value);
  }

  /** What the build has written into this file. */
  private static String version() {
    try (InputStream file = UserAgent.class.getResourceAsStream("version.properties")) {
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

  /** Adds the field to what is made of a request, unless that has it. */
  public void addTo(Request.Builder next, Request request) {
    if (!request.headers().contains(HeaderName.USER_AGENT)) {
      next.header(HeaderName.USER_AGENT, value);
    }
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    Request.Builder next = request.toBuilder();
    addTo(next, request);
    return chain.proceed(next.build());
  }

  @Override
  public String toString() {
    return value;
  }
}
