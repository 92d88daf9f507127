package heddle.client.spi;

import heddle.http.Credentials;
import heddle.http.HeaderName;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.io.Interrupts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends a token with each request to one origin (RFC 6750 section 2.1), and fetches another one
 * when the origin refuses it with 401. However many calls need a new token at a time, it is fetched
 * once: the others wait for it. Thread-safe.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder()
 *     .interceptor(BearerTokens.forOrigin(api, () -> login.token()))
 *     .build();
 * }</pre>
 *
 * <p>A request is sent again once, with the new token, if its body is {@linkplain
 * heddle.http.Body#isReplayable replayable}; otherwise the caller gets the 401. A request that has
 * credentials already is left as it is, and so is one that the source itself makes to fetch a
 * token, on the thread that it was called on. A call that waits for another one's token waits as
 * long as that takes, so give the source's calls a deadline.
 */
public final class BearerTokens implements Interceptor {
  private final Origin origin;
  private final Source source;
  private final ReentrantLock lock = new ReentrantLock();

  // Written under the lock: the latest token, and the attempt to fetch another one.
  private @Nullable Credentials latest;
  private volatile @Nullable Fetch fetching;

  /** An attempt to fetch a token, and the thread that makes it. */
  private record Fetch(Thread by, CompletableFuture<Credentials> outcome) {}

  /** Where tokens come from. */
  @FunctionalInterface
  public interface Source {
    /**
     * Fetches a new token, on the thread of a call that needs it; never by two at a time.
     *
     * @return the token, without {@code Bearer}
     * @throws IOException fails that call, and those that wait for the token
     */
    String fetch() throws IOException;
  }

  private BearerTokens(Origin origin, Source source) {
    this.origin = origin;
    this.source = source;
  }

  /** For one origin; no other origin gets the tokens. The first request fetches the first one. */
  public static BearerTokens forOrigin(Origin origin, Source source) {
    return new BearerTokens(origin, source);
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    boolean isOurs = request.origin().equals(origin)
        && !request.headers().contains(HeaderName.AUTHORIZATION)
        && !isFetching();
    if (!isOurs) {
      return chain.proceed(request);
    }
    Credentials used = token(null);
    Response response = chain.proceed(with(used, request));
    if (!isRefusal(response) || !request.body().isReplayable()) {
      return response;
    }
    response.close();
    return chain.proceed(with(token(used), request));
  }

  private boolean isFetching() {
    Fetch running = fetching;
    return running != null && running.by() == Thread.currentThread();
  }

  /** Whether our origin has refused the token, not one that it has redirected to. */
  private boolean isRefusal(Response response) {
    Request answered = response.request();
    return response.status().equals(Status.UNAUTHORIZED)
        && (answered == null || answered.origin().equals(origin));
  }

  private static Request with(Credentials token, Request request) {
    return request.toBuilder()
        .header(HeaderName.AUTHORIZATION, token.fieldValue())
        .build();
  }

  /**
   * The latest token, or a new one if it was refused.
   *
   * @param refused null for none
   */
  private Credentials token(@Nullable Credentials refused) throws IOException {
    Credentials token = null;
    while (token == null) {
      Fetch running;
      lock.lock();
      try {
        Credentials known = latest;
        if (known != null && !Objects.equals(known, refused)) {
          return known;
        }
        running = fetching;
        if (running == null) {
          running = new Fetch(Thread.currentThread(), new CompletableFuture<>());
          fetching = running;
        }
      } finally {
        lock.unlock();
      }
      boolean own = running.by() == Thread.currentThread();
      token = own ? fetch(running.outcome()) : await(running.outcome());
    }
    return token;
  }

  private Credentials fetch(CompletableFuture<Credentials> outcome) throws IOException {
    Credentials fetched = null;
    Throwable failure = new IllegalStateException("the source has ended without a token");
    try {
      fetched = Credentials.of("Bearer", source.fetch());
      return fetched;
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      end(fetched);
      if (fetched == null) {
        outcome.completeExceptionally(failure);
      } else {
        outcome.complete(fetched);
      }
    }
  }

  private void end(@Nullable Credentials fetched) {
    lock.lock();
    try {
      latest = fetched == null ? latest : fetched;
      fetching = null;
    } finally {
      lock.unlock();
    }
  }

  /** What another call fetches; null if that call was given up, so that this one has to. */
  private static @Nullable Credentials await(CompletableFuture<Credentials> awaited)
      throws IOException {
    try {
      return awaited.get();
    } catch (InterruptedException e) {
      throw Interrupts.restored("interrupted while another call fetched a token", e);
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case InterruptedIOException ignored -> null;
        case CallCancelledException ignored -> null;
        case DeadlineExceededException ignored -> null;
        case null, default ->
          throw new IOException("no token could be fetched: " + e.getCause(), e.getCause());
      };
    }
  }

  /** The origin; nothing of a token. */
  @Override
  public String toString() {
    return "Bearer for " + origin;
  }
}
