package heddle.adapters.urlconnection;

import static heddle.adapters.support.SocketFailures.caused;

import heddle.adapters.support.LastConnection;
import heddle.adapters.support.LimitAdvice;
import heddle.adapters.support.ResponseContent;
import heddle.adapters.support.SocketFailures;
import heddle.client.HttpCall;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Proxy;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.ProxyException;
import heddle.http.io.ContentPipe;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpRetryException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of one {@code HttpURLConnection}: it sends the request, follows redirects, and keeps
 * the response. Used by one thread, except for {@link #disconnect}.
 */
final class Exchange {
  private static final int MOST_REDIRECTS =
      Math.max(1, Integer.getInteger("http.maxRedirects", 20));

  private final java.net.@Nullable Proxy givenProxy;
  private @Nullable Authenticator authenticator;

  /** Null until the connection is used. */
  private @Nullable Options begun;

  private URL url;
  private List<Proxy> proxies = List.of();
  private Passwords passwords;

  private @Nullable ByteArrayOutputStream held;
  private @Nullable StreamedContent streamed;

  private static final LimitAdvice ADVICE = new LimitAdvice("setConnectTimeout", "setReadTimeout");

  /** The sending by another thread: of content that is still being written, or by connect. */
  private @Nullable CompletableFuture<Response> sending;

  /** Completed when there is a connection, or none can be had. */
  private final CompletableFuture<Boolean> acquired = new CompletableFuture<>();

  private final ExchangeListener watch = new ExchangeListener() {
    @Override
    public void acquired(AttemptInfo attempt, ConnectionInfo on, boolean reused, Duration took) {
      acquired.complete(true);
    }
  };

  private volatile @Nullable HttpCall call;

  /** Also known while a redirect is followed. */
  private final LastConnection connection = new LastConnection();

  private volatile boolean disconnected;
  private @Nullable Response response;
  private @Nullable InputStream content;
  private @Nullable IOException failure;

  /**
   * @param proxy null to ask the default ProxySelector
   */
  Exchange(URL url, java.net.@Nullable Proxy proxy) {
    this.url = url;
    this.givenProxy = proxy;
    this.passwords = new Passwords(null, false, false, url);
  }

  // ---- what Heddle's client asks on the thread of the call

  List<Proxy> proxies() {
    return proxies;
  }

  Passwords passwords() {
    return passwords;
  }

  // ---- the options

  void setAuthenticator(Authenticator given) {
    if (begun != null) {
      throw new IllegalStateException("Already connected");
    }
    authenticator = Objects.requireNonNull(given, "authenticator");
  }

  void begin(Options given) {
    begun = given;
  }

  private Options options() {
    return Objects.requireNonNull(begun, "options");
  }

  /** The first value of a field of the request; null if it was not set. */
  @Nullable
  String requestField(String name) {
    return options().field(name);
  }

  /**
   * The method of a request that has content.
   *
   * @throws ProtocolException if it must not have any
   */
  static String methodWithContent(String method, boolean doOutput) throws ProtocolException {
    if (!doOutput) {
      throw new ProtocolException(
          "cannot write to a URLConnection if doOutput=false - call setDoOutput(true)");
    }
    if (method.equals("TRACE")) {
      throw new ProtocolException("HTTP method TRACE doesn't support output");
    }
    return method.equals("GET") ? "POST" : method;
  }

  // ---- what the caller asks

  URL url() {
    return url;
  }

  @Nullable
  ConnectionInfo connection() {
    return connection.get();
  }

  /**
   * The head of the response, or of the 407 for a tunnel; without fields if there is none, and then
   * input() says why.
   */
  ResponseFields fields() {
    try {
      return ResponseFields.of(obtain());
    } catch (IOException e) {
      ProxyException.Answer refusal = refusal(e);
      return refusal == null
          ? ResponseFields.NONE
          : ResponseFields.of("HTTP/1.1", refusal.status(), refusal.headers());
    }
  }

  Status status() throws IOException {
    try {
      return obtain().status();
    } catch (IOException e) {
      ProxyException.Answer refusal = refusal(e);
      if (refusal == null) {
        throw e;
      }
      return refusal.status();
    }
  }

  /** The 407 of a proxy that opened no tunnel; null for other failures. */
  private static ProxyException.@Nullable Answer refusal(IOException failed) {
    ProxyException.Answer answer =
        failed.getCause() instanceof ProxyException refused ? refused.answer() : null;
    return answer != null && answer.status().code() == 407 ? answer : null;
  }

  /** Whether it is an HTTP proxy. */
  boolean usesProxy() {
    ConnectionInfo on = connection();
    Proxy through = on == null ? null : on.proxy();
    return through != null && through.kind() != Proxy.Kind.SOCKS5;
  }

  /** Opens a connection, unless the request has content, which is sent together with it. */
  void connect() throws IOException {
    if (options().doOutput() || sending != null || response != null) {
      return;
    }
    if (failure != null) {
      throw failure;
    }
    var ignored = start(Body.empty());
    awaitConnection();
  }

  /** The stream to which the caller writes content. */
  OutputStream output() throws IOException {
    Options options = options();
    if (response != null) {
      throw new ProtocolException("Cannot write output after reading input.");
    }
    if (!options.streams()) {
      ByteArrayOutputStream known = held;
      held = known == null ? new ByteArrayOutputStream() : known;
      return held;
    }
    StreamedContent known = streamed;
    if (known != null) {
      return known;
    }
    if (failure != null) {
      throw failure;
    }
    ContentPipe pipe = new ContentPipe();
    long length = options.fixedLength() < 0 ? Body.UNKNOWN : options.fixedLength();
    CompletableFuture<Response> sent = start(Body.of(pipe.input(), length));
    StreamedContent opened = new StreamedContent(pipe, length, sent);
    streamed = opened;
    // However the call ends, the content is no longer read.
    var ignored = sent.whenComplete((answer, failed) -> pipe.abandon(failed));
    awaitConnection();
    return opened;
  }

  /** The content of a response that is no failure. */
  InputStream input() throws IOException {
    if (!options().doInput()) {
      throw new ProtocolException(
          "Cannot read from URLConnection if doInput=false - call setDoInput(true)");
    }
    int code = obtain().status().code();
    if (code == 404 || code == 410) {
      throw new FileNotFoundException(url.toString());
    }
    if (code >= 400) {
      throw new IOException("Server returned HTTP response code: " + code + " for URL: " + url);
    }
    return Objects.requireNonNull(content, "content");
  }

  /** The content of a response with status 400 or more; null if there is none. */
  @Nullable
  InputStream error() {
    Response got = response;
    return got == null || got.status().code() < 400 ? null : content;
  }

  /** Cancels the call unless its response has been read. From any thread. */
  void disconnect() {
    disconnected = true;
    HttpCall running = call;
    if (running != null) {
      running.cancel();
    }
  }

  // ---- sending

  /** Sends the request unless it was sent, and waits for the head of the response. */
  private Response obtain() throws IOException {
    Response known = response;
    if (known != null) {
      return known;
    }
    if (failure != null) {
      throw failure;
    }
    try {
      if (options().streams() && options().doOutput()) {
        output().close();
      }
      CompletableFuture<Response> sent = sending;
      ByteArrayOutputStream written = held;
      Body body = written == null ? Body.empty() : Body.of(written.toByteArray());
      Response got = sent == null ? send(body) : await(sent);
      content = new ResponseContent(got, Exchange::translated);
      response = got;
      return got;
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private CompletableFuture<Response> start(Body body) {
    CompletableFuture<Response> sent = new CompletableFuture<>();
    sending = sent;
    Thread.ofVirtual().name("heddle-urlconnection").start(() -> {
      try {
        sent.complete(send(body));
        acquired.complete(true);
      } catch (Throwable e) {
        sent.completeExceptionally(e);
        acquired.completeExceptionally(e);
      }
    });
    return sent;
  }

  private void awaitConnection() throws IOException {
    try {
      var ignored = await(acquired);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private <T> T await(CompletableFuture<T> awaited) throws IOException {
    try {
      return awaited.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      disconnect();
      throw caused(new InterruptedIOException("interrupted while the server was awaited"), e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failed -> throw failed;
        case RuntimeException failed -> throw failed;
        case Error failed -> throw failed;
        case null, default -> throw new IOException("the call failed: " + e.getCause(), e);
      }
    }
  }

  /** Returns the JDK's exception, with the JDK's text; its cause names the setter to raise. */
  private static IOException translated(IOException failed) {
    IOException told = ADVICE.translate(failed);
    return switch (failed) {
      case CallCancelledException e -> caused(new SocketException("Socket closed"), e);
      case ProxyException e -> caused(refused(e), e);
      case ConnectFailedException e
      when told instanceof SocketTimeoutException ->
        caused(new SocketTimeoutException("Connect timed out"), told);
      case DeadlineExceededException e ->
        caused(new SocketTimeoutException("Read timed out"), told);
      default -> told;
    };
  }

  private static IOException refused(ProxyException failed) {
    ProxyException.Answer answer = failed.answer();
    return answer == null
        ? new SocketException(SocketFailures.problem(failed))
        : new IOException(
            "Unable to tunnel through proxy. Proxy returns \"HTTP/1.1 " + answer.status() + "\"");
  }

  /** Sends the request and those of its redirects. */
  private Response send(Body body) throws IOException {
    Options options = options();
    String method = options.method();
    Body sent = body;
    boolean withContent = options.doOutput() && (held != null || options.streams());
    Origin first = origin(url);
    for (int followed = 0; ; followed++) {
      URI uri = UrlSyntax.uri(url);
      Origin origin = origin(url);
      proxies = proxies(uri);
      Authenticator asked = authenticator == null ? Authenticator.getDefault() : authenticator;
      boolean forwarded = "http".equals(origin.scheme())
          && !proxies.isEmpty()
          && proxies.getFirst().kind() == Proxy.Kind.HTTP;
      passwords = new Passwords(asked, options.field("Authorization") != null, forwarded, url);
      Request request = Request.builder(origin, Method.of(method), UrlSyntax.target(url))
          .headers(RequestFields.of(options, uri, withContent, origin.equals(first), forwarded))
          .body(sent)
          .build();
      Response got = execute(request);
      URL next = got.status().code() < 300 ? null : next(got);
      CookieHandler cookies = CookieHandler.getDefault();
      if (cookies != null) {
        cookies.put(uri, ResponseFields.of(got).map());
      }
      if (next == null) {
        return got;
      }
      got.close();
      if (followed + 1 >= MOST_REDIRECTS) {
        throw new ProtocolException("Server redirected too many  times (" + MOST_REDIRECTS + ")");
      }
      if (method.equals("POST")
          && got.status().code() != 307
          && !Boolean.getBoolean("http.strictPostRedirect")) {
        method = "GET";
        sent = Body.empty();
        withContent = false;
      }
      url = next;
    }
  }

  private List<Proxy> proxies(URI uri) throws IOException {
    java.net.Proxy given = givenProxy;
    java.net.ProxySelector selector = java.net.ProxySelector.getDefault();
    List<java.net.Proxy> chosen;
    if (given != null) {
      chosen = List.of(given);
    } else {
      chosen = selector == null ? List.of() : selector.select(uri);
    }
    return UrlSyntax.proxies(chosen);
  }

  private static Origin origin(URL url) {
    int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
    return new Origin(url.getProtocol(), url.getHost(), port);
  }

  private Response execute(Request request) throws IOException {
    Options options = options();
    Engines.Key key =
        new Engines.Key(options.connectTimeout(), options.readTimeout(), options.tls());
    try {
      return Engines.clients().call(key, client -> {
        // A listener is only needed if another thread sends: the caller waits for a connection.
        HttpCall made = sending == null ? client.newCall(request) : client.newCall(request, watch);
        connection.follow(made);
        call = made;
        if (disconnected) {
          made.cancel();
        }
        return Engines.CURRENT.execute(made, this);
      });
    } catch (IOException e) {
      throw translated(e);
    }
  }

  // ---- redirects

  /** Where a response redirects to; null if the caller gets it. */
  private @Nullable URL next(Response got) throws IOException {
    Options options = options();
    int code = got.status().code();
    if (options.streams() && options.doOutput()) {
      refuseToRepeat(options, got);
    }
    String location = got.headers().first(HeaderName.LOCATION);
    boolean redirects = code >= 300 && code <= 307 && code != 304 && code != 305 && code != 306;
    if (!redirects || location == null || !options.followRedirects()) {
      return null;
    }
    URL next = UrlSyntax.resolve(url, location);
    return next != null && next.getProtocol().equals(url.getProtocol()) ? next : null;
  }

  private static void refuseToRepeat(Options options, Response got) throws IOException {
    int code = got.status().code();
    String location = got.headers().first(HeaderName.LOCATION);
    String why =
        switch (code) {
          case 401 -> "cannot retry due to server authentication, in streaming mode";
          case 407 -> "cannot retry due to proxy authentication, in streaming mode";
          case 300, 301, 302, 303, 307 ->
            options.followRedirects() && location != null
                ? "cannot retry due to redirection, in streaming mode"
                : "";
          default -> "";
        };
    if (!why.isEmpty()) {
      got.close();
      throw location == null
          ? new HttpRetryException(why, code)
          : new HttpRetryException(why, code, location);
    }
  }
}
