package heddle.adapters.jdk;

import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Opens WebSockets over the connections of a client. Not thread-safe. */
final class JdkWebSocketBuilder implements WebSocket.Builder {
  /** The fields of the handshake (RFC 6455 section 11.3). Case-insensitive. */
  private static final Set<String> OF_HANDSHAKE = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  static {
    OF_HANDSHAKE.addAll(Set.of(
        "Sec-WebSocket-Accept",
        "Sec-WebSocket-Extensions",
        "Sec-WebSocket-Key",
        "Sec-WebSocket-Protocol",
        "Sec-WebSocket-Version"));
  }

  private final Calls calls;
  private final List<Field> fields = new ArrayList<>();
  private List<String> subprotocols = List.of();
  private @Nullable Duration timeout;

  private record Field(String name, String value) {}

  JdkWebSocketBuilder(Calls calls) {
    this.calls = calls;
  }

  @Override
  public WebSocket.Builder header(String name, String value) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(value, "value");
    fields.add(new Field(name, value));
    return this;
  }

  /** Sets the timeout of the whole opening handshake. */
  @Override
  public WebSocket.Builder connectTimeout(Duration newTimeout) {
    timeout = Objects.requireNonNull(newTimeout, "timeout");
    return this;
  }

  @Override
  public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
    List<String> names = new ArrayList<>();
    names.add(Objects.requireNonNull(mostPreferred, "mostPreferred"));
    for (String each : Objects.requireNonNull(lesserPreferred, "lesserPreferred")) {
      names.add(Objects.requireNonNull(each, "lesserPreferred"));
    }
    subprotocols = names;
    return this;
  }

  @Override
  public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
    Objects.requireNonNull(uri, "uri");
    Objects.requireNonNull(listener, "listener");
    try {
      HttpRequest request = request(uri);
      Opening opening = new Opening(uri, subprotocols, listener);
      return new JdkCall<>(calls, request, BodyHandlers.ofString(), opening)
          .start()
          .thenApply(opening::result);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * @throws IllegalArgumentException if the URI, a field or the timeout is illegal
   */
  private HttpRequest request(URI uri) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(httpUri(uri)).version(Version.HTTP_1_1).GET();
    if (timeout != null) {
      request.timeout(timeout);
    }
    for (Field each : fields) {
      if (OF_HANDSHAKE.contains(each.name())) {
        throw new IllegalArgumentException("Illegal header: " + each.name());
      }
      request.header(each.name(), each.value());
    }
    return request.build();
  }

  /** RFC 6455 section 3. */
  private static URI httpUri(URI uri) {
    String scheme = Messages.scheme(uri);
    if (!scheme.equals("ws") && !scheme.equals("wss")) {
      throw new IllegalArgumentException("invalid URI scheme: " + uri.getScheme());
    }
    if (uri.getHost() == null) {
      throw new IllegalArgumentException("URI must contain a host");
    }
    if (uri.getFragment() != null) {
      throw new IllegalArgumentException("URI must not contain a fragment");
    }
    return URI.create("http" + uri.toString().substring("ws".length()));
  }
}
