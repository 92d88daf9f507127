package heddle.adapters.jdk;

import heddle.adapters.support.ContentDelivery;
import heddle.adapters.support.ReusedContent;
import heddle.adapters.support.TimeLimit;
import heddle.client.HttpCall;
import heddle.client.spi.ConnectionInfo;
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
import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call of the JDK's client, made once. One thread sends its requests, one after the other, until
 * there is a response for the caller, and handles cookies, redirects and challenges. If the call
 * opens a WebSocket, the thread then receives for it. Any thread may end the call.
 */
final class JdkCall<T> {
  private final Calls calls;
  private final Settings settings;
  private final HttpRequest first;
  private final BodyHandler<T> handler;

  /** Null unless the call is to open a WebSocket. */
  private final @Nullable Opening opening;

  private final Route route;
  private final Authentication authentication;
  private final @Nullable TimeLimit limit;
  private int followed;

  /**
   * Whether the response is that of a proxy that refused a tunnel. Its content is not passed to the
   * caller, as it is not the server's.
   */
  private boolean tunnelRefused;

  /** The content of the latest request. */
  private volatile Body content = Body.empty();

  /** The latest request. Set before the reason is read; {@link #abort} sets that and reads this. */
  private volatile @Nullable HttpCall running;

  /** Null until the head of the response has arrived. Set and read as {@code running} is. */
  private volatile @Nullable ContentDelivery<List<ByteBuffer>> delivery;

  /** Why the call was ended early; null if it was not. */
  private final AtomicReference<@Nullable Throwable> ended = new AtomicReference<>();

  /** The outcome of the call, even if the caller has stopped waiting for it. */
  private final CompletableFuture<HttpResponse<T>> outcome = new CompletableFuture<>();

  /** Completed when delivery has ended: with the failure, or null at the end of the content. */
  private final CompletableFuture<@Nullable Throwable> delivered = new CompletableFuture<>();

  /**
   * The response for the caller.
   *
   * @param head the response without its body
   */
  private record Answer<T>(JdkResponse<T> head, Response response) {
    /**
     * Whether the length of the content is known from the head: always, except for chunked content.
     */
    boolean isSized() {
      return head.request().method().equals("HEAD")
          || !response.status().mayHaveContent()
          || head.headers().firstValue("Transfer-Encoding").isEmpty();
    }
  }

  /** The future of an asynchronous call, and its dependent stages. */
  private static final class Cancellable<T extends @Nullable Object> extends CompletableFuture<T> {
    private final JdkCall<?> call;

    Cancellable(JdkCall<?> call) {
      this.call = call;
    }

    /** Aborts the call if the flag is set and the stage is not completed. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      if (!mayInterruptIfRunning || isDone()) {
        return super.cancel(mayInterruptIfRunning);
      }
      // The exceptions that callers of the JDK's client expect.
      CancellationException because = new CancellationException("Request cancelled");
      IOException cause = new IOException("Request cancelled");
      because.initCause(cause);
      boolean cancelled = completeExceptionally(because);
      call.outcome.completeExceptionally(because);
      call.abort(cause);
      return cancelled || isCancelled();
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
      return new Cancellable<>(call);
    }
  }

  /**
   * @throws IllegalArgumentException if the request could not have been built
   */
  JdkCall(Calls calls, HttpRequest request, BodyHandler<T> handler) {
    this(calls, request, handler, null);
  }

  /**
   * A call that opens a WebSocket if there is an {@code opening}. It must be {@link #start started}
   * then, and its response has no body if the server has switched.
   *
   * @throws IllegalArgumentException if the request could not have been built
   */
  JdkCall(Calls calls, HttpRequest request, BodyHandler<T> handler, @Nullable Opening opening) {
    this.calls = calls;
    this.settings = calls.settings;
    this.first = Messages.checked(request);
    this.handler = Objects.requireNonNull(handler, "responseBodyHandler");
    this.opening = opening;
    this.route = Route.of(settings.routes(), first.uri(), opening != null);
    this.authentication = new Authentication(settings.authenticator(), calls.passwords, route);
    this.limit = first.timeout().map(this::limit).orElse(null);
  }

  private TimeLimit limit(Duration timeout) {
    long nanos = TimeUnit.NANOSECONDS.convert(timeout);
    return new TimeLimit(nanos, () -> Thread.startVirtualThread(() -> timedOut(timeout)));
  }

  // ---- calling

  /**
   * Makes the call on the calling thread.
   *
   * @throws IOException a new exception per call
   */
  HttpResponse<T> send() throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the call was made");
    }
    calls.begin(this);
    startTimer();
    try {
      deliver(answer(), Signals.DIRECT);
      return outcome.get();
    } catch (InterruptedException e) {
      abort(new IOException("Request cancelled"));
      over(e);
      throw e;
    } catch (ExecutionException e) {
      throw Failures.fresh(Objects.requireNonNullElse(e.getCause(), e));
    } catch (IOException | RuntimeException | Error e) {
      Throwable explained = explained(e);
      over(explained);
      throw Failures.fresh(explained);
    }
  }

  /**
   * Makes the call on a virtual thread. Cancelling the future or a dependent stage with {@code
   * cancel(true)} aborts the call, {@code cancel(false)} does not.
   */
  CompletableFuture<HttpResponse<T>> start() {
    CompletableFuture<HttpResponse<T>> answer = new Cancellable<>(this);
    try {
      calls.begin(this);
    } catch (IOException e) {
      answer.completeExceptionally(e);
      return answer;
    }
    // Dependent stages must occupy neither Heddle's threads nor the client's executor. They see a
    // failure in a CompletionException, as stages of stages do.
    var ignored = outcome.whenCompleteAsync(
        (response, failure) -> {
          if (failure == null) {
            answer.complete(response);
          } else {
            answer.completeExceptionally(new CompletionException(failure));
          }
        },
        answer.defaultExecutor());
    startTimer();
    Thread.ofVirtual().name("heddle-jdk-call").start(this::run);
    return answer;
  }

  private void run() {
    try {
      Answer<T> answer = answer();
      Signals signals = Signals.on(settings.executor());
      if (opening != null && opening.isSwitched(answer.head())) {
        converse(opening, answer, signals);
        return;
      }
      boolean done = false;
      try {
        signals.run(() -> deliver(answer, signals));
        done = true;
      } finally {
        if (!done) {
          answer.response().close();
        }
      }
    } catch (InterruptedException | IOException | RuntimeException | Error e) {
      over(explained(e));
    }
  }

  /** Opens the WebSocket and receives until it is closed. */
  private void converse(Opening opened, Answer<T> answer, Signals signals) throws IOException {
    JdkWebSocket socket = opened.open(answer.response(), signals, this::disconnect);
    boolean awaited = outcome.complete(answer.head());
    if (socket == null || !awaited) { // Refused; or cancelled or too late.
      disconnect();
      return;
    }
    Throwable because = ended.get();
    if (because != null) {
      socket.fail(because);
    }
    socket.run();
  }

  /** Closes the connection of the WebSocket. */
  private void disconnect() {
    HttpCall latest = running;
    if (latest != null) {
      latest.cancel();
    }
    over(null);
  }

  // ---- the requests

  /**
   * Sends requests until there is a response for the caller.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  private Answer<T> answer() throws IOException, InterruptedException {
    HttpRequest request = first;
    JdkResponse<T> previous = null;
    authentication.begin(request);
    while (true) {
      Response response = exchange(request);
      boolean last = false;
      try {
        JdkResponse<T> head = new JdkResponse<>(
            request,
            response.status().code(),
            Messages.headers(response.headers()),
            response.version() == HttpVersion.HTTP_2 ? Version.HTTP_2 : Version.HTTP_1_1,
            null,
            previous,
            connection());
        HttpRequest next = next(head, response.headers());
        last = next == null;
        if (next == null) {
          if (limit != null && !settings.timesContent()) {
            limit.end();
          }
          return new Answer<>(head, response);
        }
        previous = head;
        request = next;
      } finally {
        if (!last) {
          response.close();
        }
      }
    }
  }

  /** The next request; null if the caller gets this response. */
  private @Nullable HttpRequest next(JdkResponse<T> head, Headers headers) throws IOException {
    HttpRequest request = head.request();
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

  /** Sends a request, and again if a proxy requests credentials before it opens a tunnel. */
  private Response exchange(HttpRequest request) throws IOException, InterruptedException {
    content = PublishedBody.of(request.bodyPublisher().orElse(null), this::writesAtOnce);
    Request made =
        Messages.request(request, settings, content, extra(request), route.forwards(request.uri()));
    if (opening != null) {
      made = opening.offer(made);
    }
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
          return Response.received(
              made,
              refusal.status(),
              HttpVersion.HTTP_1_1,
              refusal.headers(),
              Body.empty(),
              Trailers.none());
        }
      }
    }
  }

  /** The fields that the caller does not set: cookies and credentials. */
  private Headers extra(HttpRequest request) throws IOException {
    Headers.Builder extra = Headers.builder();
    List<String> cookies = new ArrayList<>();
    CookieHandler cookieHandler = settings.cookies();
    if (cookieHandler != null) {
      cookieHandler.get(request.uri(), request.headers().map()).forEach((name, values) -> {
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
    HttpCall call = ReusedContent.newCall(calls.client, request);
    running = call;
    if (ended.get() != null) {
      call.cancel();
    }
    try {
      return route.execute(call);
    } catch (InterruptedIOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while the call was made");
      }
      throw e;
    }
  }

  // ---- the response

  private void deliver(Answer<T> answer, Signals signals) {
    if (tunnelRefused) {
      outcome.complete(answer.head());
      over(null);
      return;
    }
    boolean done = false;
    try {
      BodySubscriber<T> subscriber = Objects.requireNonNull(
          handler.apply(answer.head()), "the BodyHandler returned null instead of a subscriber");
      Body body = answer.response().body();
      boolean arrived = body.inMemory() != null;
      ContentDelivery<List<ByteBuffer>> begun = new ContentDelivery<>(
          body,
          part -> List.of(part.asReadOnlyBuffer()),
          arrived && answer.isSized(),
          Failures::of,
          delivered::complete);
      delivery = begun;
      Throwable because = ended.get();
      if (because != null) {
        begun.fail(because);
      }
      begun.subscribe(arrived ? subscriber : signals.to(subscriber));
      completeWith(subscriber.getBody(), answer.head());
      // Registered last: content may fail or be cancelled while a subscriber starts that still has
      // a body, such as a stream that reports the failure.
      var ignored = delivered.thenAccept(this::over);
      done = true;
    } finally {
      if (!done) {
        closeQuietly(answer.response());
      }
    }
  }

  private void completeWith(CompletionStage<T> body, JdkResponse<T> head) {
    var ignored = body.whenComplete((value, failure) -> {
      if (failure == null) {
        outcome.complete(head.withBody(value));
      } else {
        outcome.completeExceptionally(Failures.unwrapped(failure));
      }
    });
  }

  private static void closeQuietly(Response response) {
    try {
      response.close();
    } catch (IOException e) {
      // The connection is closed anyway, and the handler's exception is more informative.
      return;
    }
  }

  // ---- ending

  /** Aborts the call. From any thread; does nothing once the call is over. */
  void abort(Throwable because) {
    if (!ended.compareAndSet(null, because)) {
      return;
    }
    ContentDelivery<?> begun = delivery;
    HttpCall latest = running;
    JdkWebSocket socket = opening == null ? null : opening.socket();
    if (begun != null) {
      begun.fail(because);
    } else if (socket != null) {
      socket.fail(because);
    } else if (latest != null) {
      latest.cancel();
    }
  }

  private Throwable explained(Throwable failure) {
    Throwable because = ended.get();
    if (because != null) {
      return because;
    }
    Throwable published = content instanceof PublishedBody body ? body.failure() : null;
    return published == null ? Failures.of(failure, spoken()) : published;
  }

  /** The connection that the latest request has used last; null for none. */
  private @Nullable ConnectionInfo connection() {
    HttpCall latest = running;
    return latest == null ? null : latest.connection();
  }

  /** False over HTTP/2, where content may wait in the connection's queue. */
  private boolean writesAtOnce() {
    ConnectionInfo on = connection();
    return on != null && on.version() == HttpVersion.HTTP_1_1;
  }

  /** The version of the latest request's response, as {@link Failures#of} takes it. */
  private @Nullable HttpVersion spoken() {
    HttpCall latest = running;
    ConnectionInfo on = connection();
    if (on == null || latest == null) {
      return HttpVersion.HTTP_1_1;
    }
    if (on.version() == HttpVersion.HTTP_2) {
      return HttpVersion.HTTP_2;
    }
    boolean offersH2c = latest.request().version() == null && !on.origin().isSecure();
    return offersH2c ? null : HttpVersion.HTTP_1_1;
  }

  /**
   * Called when the call is over.
   *
   * @param failure why there is no response, if there is none yet; null if there will be one
   */
  private void over(@Nullable Throwable failure) {
    if (failure != null) {
      outcome.completeExceptionally(Failures.unwrapped(failure));
    }
    calls.end(this);
  }

  private void startTimer() {
    if (limit != null) {
      limit.begin();
      var ignored = outcome.whenComplete((response, failure) -> limit.end());
    }
  }

  private void timedOut(Duration timeout) {
    String option =
        opening == null ? "HttpRequest.Builder.timeout" : "WebSocket.Builder.connectTimeout";
    String advice = "; raise " + option + ", which is " + timeout.toMillis() + " ms";
    IOException late = connection() == null
        ? Failures.connectTimedOut(advice, null)
        : new HttpTimeoutException("request timed out" + advice);
    // A response that was returned may be read without a limit.
    if (outcome.completeExceptionally(late)) {
      abort(late);
    }
  }
}
