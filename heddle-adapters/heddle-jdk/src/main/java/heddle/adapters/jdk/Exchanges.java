package heddle.adapters.jdk;

import heddle.adapters.jdk.Words.Spoken;
import heddle.client.HttpCall;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import heddle.http.failure.ProxyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.CookieHandler;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a call, one after the other, until there is a response for the caller.
 * Handles cookies, redirects and challenges. Used by the thread that makes the call.
 */
final class Exchanges<T> {
  private final Shared shared;
  private final Settings settings;
  private final HttpRequest first;
  private final Way way;
  private final Authentication authentication;
  private final Watch watch = new Watch();
  private int followed;
  private boolean tunnelRefused;

  /** The content of the latest request. */
  private volatile Body content = Body.empty();

  private volatile @Nullable HttpCall running;
  private volatile boolean cancelled;

  /**
   * The response for the caller, once its head has arrived.
   *
   * @param request that the response answers
   * @param refusesTunnel whether it is the response of a proxy that refused a tunnel. Its content
   *     is not passed to the caller, as it is not the server's
   */
  record Answer<T>(
      HttpRequest request,
      ResponseHead head,
      Response response,
      boolean refusesTunnel,
      @Nullable JdkResponse<T> previous,
      @Nullable ConnectionInfo connection) {
    /**
     * Whether the length of the content is known from the head: always, except for chunked content.
     */
    boolean isSized() {
      return request.method().equals("HEAD")
          || !response.status().mayHaveContent()
          || head.headers().firstValue("Transfer-Encoding").isEmpty();
    }

    JdkResponse<T> withBody(@Nullable T body) {
      return new JdkResponse<>(request, head, body, previous, connection);
    }
  }

  /** Records the connection of a request, and when the request was written. */
  private final class Watch implements ExchangeListener {
    volatile @Nullable ConnectionInfo connection;

    /** False over HTTP/2, where content may wait in the connection's queue. */
    boolean writesAtOnce() {
      ConnectionInfo on = connection;
      return on != null && on.version() == HttpVersion.HTTP_1_1;
    }

    @Override
    public void acquired(
        AttemptInfo attempt, ConnectionInfo acquired, boolean reused, Duration took) {
      connection = acquired;
    }

    @Override
    public void requestSent(AttemptInfo attempt, Duration took) {
      if (content instanceof PublishedBody published) {
        published.sent();
      }
    }
  }

  Exchanges(Shared shared, HttpRequest first) {
    this.shared = shared;
    this.settings = shared.settings();
    this.first = first;
    this.way = Way.of(settings.routes(), first.uri());
    this.authentication = new Authentication(settings.authenticator(), shared.passwords(), way);
  }

  /** Whether the latest request has a connection. */
  boolean isConnected() {
    return watch.connection != null;
  }

  /** The version of HTTP that the latest request was answered in, as far as it is known. */
  Spoken spoken() {
    ConnectionInfo on = watch.connection;
    HttpCall latest = running;
    if (on == null || latest == null) {
      return Spoken.HTTP_1_1;
    }
    boolean offers = latest.request().version() == null && !on.origin().isSecure();
    return on.version() == HttpVersion.HTTP_2
        ? Spoken.HTTP_2
        : offers ? Spoken.EITHER : Spoken.HTTP_1_1;
  }

  /** What the publisher of the latest request has failed with; null if it has not failed. */
  @Nullable
  Throwable publisherFailure() {
    return content instanceof PublishedBody published ? published.failure() : null;
  }

  /**
   * Sends the requests.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  Answer<T> run() throws IOException, InterruptedException {
    HttpRequest request = first;
    JdkResponse<T> previous = null;
    authentication.begin(request);
    while (true) {
      Response response = exchange(request);
      boolean last = false;
      try {
        ResponseHead head = Messages.head(response);
        HttpRequest next = next(request, head, response.headers());
        ConnectionInfo connection = watch.connection;
        last = next == null;
        if (next == null) {
          return new Answer<>(request, head, response, tunnelRefused, previous, connection);
        }
        previous = new JdkResponse<>(request, head, null, previous, connection);
        request = next;
      } finally {
        if (!last) {
          response.close();
        }
      }
    }
  }

  /** The next request; null if the caller gets this response. */
  private @Nullable HttpRequest next(HttpRequest request, ResponseHead head, Headers headers)
      throws IOException {
    CookieHandler cookies = settings.cookies();
    if (cookies != null) {
      cookies.put(request.uri(), head.headers().map());
    }
    int status = head.statusCode();
    if (status == 204 && hasContent(head.headers())) {
      throw new IOException("unexpected content length header with 204 response");
    }
    HttpRequest redirected =
        Redirection.next(settings.redirects(), request, status, head.headers(), followed);
    if (redirected != null) {
      followed++;
      authentication.begin(redirected);
      return redirected;
    }
    return authentication.answers(request, status, headers) ? request : null;
  }

  private static boolean hasContent(HttpHeaders headers) {
    return headers.firstValue("Transfer-Encoding").isPresent()
        || !headers.firstValue("Content-Length").orElse("0").equals("0");
  }

  // ---- one request

  private Response exchange(HttpRequest request) throws IOException, InterruptedException {
    content = PublishedBody.of(request.bodyPublisher().orElse(null), watch::writesAtOnce);
    Request made =
        Messages.request(request, settings, content, extra(request), way.forwards(request.uri()));
    while (true) {
      try {
        return send(made);
      } catch (ProxyException e) {
        ProxyException.Answer refusal = e.answer();
        if (e.reason() != ProxyException.Reason.AUTHENTICATION || refusal == null) {
          throw e;
        }
        if (!authentication.answersProxy(request, refusal.headers())) {
          tunnelRefused = true;
          return refused(refusal);
        }
      }
    }
  }

  /** Returns the response of a proxy that refused a tunnel. */
  private static Response refused(ProxyException.Answer refusal) {
    return Response.received(
        refusal.status(), HttpVersion.HTTP_1_1, refusal.headers(), Body.empty(), Trailers.none());
  }

  private Headers extra(HttpRequest request) throws IOException {
    Headers.Builder extra = Headers.builder();
    List<String> cookies = new ArrayList<>();
    CookieHandler handler = settings.cookies();
    if (handler != null) {
      handler.get(request.uri(), request.headers().map()).forEach((name, values) -> {
        Stream<String> valid = values.stream().filter(Messages::isFieldValue);
        if (name.equalsIgnoreCase("Cookie")) {
          valid.forEach(cookies::add);
        } else if (name.equalsIgnoreCase("Cookie2")) {
          valid.forEach(value -> extra.add("Cookie2", value));
        }
      });
    }
    cookies.addAll(request.headers().allValues("Cookie"));
    if (!cookies.isEmpty()) {
      extra.add(HeaderName.COOKIE, String.join("; ", cookies));
    }
    String credentials = authentication.field();
    if (credentials != null) {
      extra.add(HeaderName.AUTHORIZATION, credentials);
    }
    String forProxy = authentication.proxyField(request);
    if (forProxy != null) {
      extra.add(HeaderName.PROXY_AUTHORIZATION, forProxy);
    }
    return extra.build();
  }

  private Response send(Request request) throws IOException, InterruptedException {
    watch.connection = null;
    HttpCall call = shared.client().newCall(request, watch);
    running = call;
    if (cancelled) {
      call.cancel();
    }
    try {
      return way.execute(call);
    } catch (InterruptedIOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while the call was made");
      }
      throw e;
    }
  }

  /** Cancels the request that is being sent, and those that would follow. From any thread. */
  void cancel() {
    cancelled = true;
    HttpCall current = running;
    if (current != null) {
      current.cancel();
    }
  }
}
