package heddle.client;

import heddle.client.call.Calls;
import heddle.client.call.Race;
import heddle.client.call.Race.Outcome;
import heddle.http.Body;
import heddle.http.Response;
import heddle.transport.EventLoop;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Several calls at the same time. Each method executes its calls on virtual threads, waits on the
 * calling thread, and cancels the calls that are not needed: when one has failed, when another one
 * was faster, and when the calling thread is interrupted. Thread-safe; each {@link HttpCall} can be
 * used once.
 *
 * <pre>{@code
 * List<Response> both = HttpCalls.allSuccess(client.newCall(user), client.newCall(orders));
 *
 * try (Response response = HttpCalls.hedged(
 *     Duration.ofMillis(50), client.newCall(replica1), client.newCall(replica2))) {
 *   System.out.println(response.string());
 * }
 * }</pre>
 *
 * <p>Each call ends by its deadline, or by that of the operation ({@link Deadlines#within}) in
 * which the method is called if that is earlier. The methods do not wait for the calls that they
 * cancel: their connections are closed, or their streams reset over HTTP/2, a moment later.
 */
public final class HttpCalls {
  private HttpCalls() {}

  /**
   * Makes all calls, and waits for the heads of all responses. If a call fails, the others are
   * cancelled and the responses that have come are closed.
   *
   * @return the responses in the order of the calls, whatever their statuses are; the caller reads
   *     each to its end or closes it
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException what the first call to fail has failed with
   * @throws IllegalStateException if a call was executed before
   */
  public static List<Response> all(HttpCall... calls) throws IOException {
    return all(List.of(calls));
  }

  /** As {@link #all(HttpCall...)}; no calls have no responses. */
  public static List<Response> all(List<HttpCall> calls) throws IOException {
    return all(calls, false);
  }

  /**
   * As {@link #all(HttpCall...)}, but a call whose response has another status than 2xx fails too.
   *
   * @throws heddle.http.StatusException if the first call to fail has such a response
   */
  public static List<Response> allSuccess(HttpCall... calls) throws IOException {
    return allSuccess(List.of(calls));
  }

  /** As {@link #allSuccess(HttpCall...)}; no calls have no responses. */
  public static List<Response> allSuccess(List<HttpCall> calls) throws IOException {
    return all(calls, true);
  }

  private static List<Response> all(List<HttpCall> calls, boolean needsSuccess) throws IOException {
    if (calls.isEmpty()) {
      return List.of();
    }
    requireUsable(calls);
    Race race = new Race(loop(calls));
    Response[] responses = new Response[calls.size()];
    boolean done = false;
    try {
      for (HttpCall call : calls) {
        race.start(new Entry(call, needsSuccess));
      }
      while (race.running() > 0) {
        Outcome outcome = race.next(Deadline.never());
        if (outcome != null) {
          responses[outcome.number()] = response(outcome);
        }
      }
      done = true;
      return List.of(responses);
    } finally {
      if (!done) {
        calls.forEach(HttpCall::cancel);
      }
    }
  }

  /**
   * Makes all calls at once and returns the first response whose status is one of success (2xx).
   * The other calls are cancelled.
   *
   * @return the caller reads it to its end or closes it
   * @throws AllCallsFailedException if no call brings such a response
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IllegalArgumentException if there is no call
   * @throws IllegalStateException if a call was executed before
   */
  public static Response firstSuccess(HttpCall... calls) throws IOException {
    return firstSuccess(List.of(calls));
  }

  /** As {@link #firstSuccess(HttpCall...)}. */
  public static Response firstSuccess(List<HttpCall> calls) throws IOException {
    return hedged(Duration.ZERO, calls);
  }

  /**
   * Makes the first call, and the next one each time that the delay has passed without a response
   * whose status is one of success (2xx), or at once when a call fails. Returns the first such
   * response and cancels the other calls, also those that it has not made.
   *
   * <p>The calls may go to different servers, and need not be safe: that is for the caller to
   * decide. They count against no retry budget. To hedge all safe requests of a client, use {@code
   * Hedging} of the module {@code heddle-resilience}.
   *
   * @param delay zero or more
   * @return the caller reads it to its end or closes it
   * @throws AllCallsFailedException if no call brings such a response
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IllegalArgumentException if the delay is negative, or there is no call
   * @throws IllegalStateException if a call was executed before
   */
  public static Response hedged(Duration delay, HttpCall... calls) throws IOException {
    return hedged(delay, List.of(calls));
  }

  /** As {@link #hedged(Duration, HttpCall...)}. */
  public static Response hedged(Duration delay, List<HttpCall> calls) throws IOException {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay must not be negative, but was " + delay);
    }
    requireUsable(calls);
    EventLoop loop = loop(calls);
    Race race = new Race(loop);
    SortedMap<Integer, IOException> failures = new TreeMap<>();
    HttpCall won = null;
    try {
      int started = 0;
      Deadline next = Deadline.atOnce();
      while (failures.size() < calls.size()) {
        boolean more = started < calls.size();
        if (more && next.isPast(loop.clock())) {
          race.start(new Entry(calls.get(started), true));
          started++;
          next = Deadline.after(delay, loop.clock());
          continue;
        }
        Outcome outcome = race.next(more ? next : Deadline.never());
        if (outcome != null && outcome.response() != null) {
          won = calls.get(outcome.number());
          return outcome.response();
        }
        if (outcome != null) {
          failures.put(outcome.number(), Race.thrown(outcome));
          next = Deadline.atOnce();
        }
      }
      throw new AllCallsFailedException(List.copyOf(failures.values()));
    } finally {
      for (HttpCall call : calls) {
        if (call != won) {
          call.cancel();
        }
      }
    }
  }

  private static Response response(Outcome outcome) throws IOException {
    Response response = outcome.response();
    if (response == null) {
      throw Race.thrown(outcome);
    }
    return response;
  }

  private static EventLoop loop(List<HttpCall> calls) {
    if (calls.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one call");
    }
    return calls.getFirst().loop();
  }

  /** Before any call begins, so that a call that someone else executes is not cancelled. */
  private static void requireUsable(List<HttpCall> calls) {
    Set<Object> once = Collections.newSetFromMap(new IdentityHashMap<>());
    for (HttpCall call : calls) {
      HttpCall.State state = call.state();
      if (state != HttpCall.State.READY && state != HttpCall.State.CANCELLED) {
        throw new IllegalStateException(
            "a call was executed before; make another one with HttpClient.newCall");
      }
      if (!once.add(call)) {
        throw new IllegalStateException("a call is given twice, but can be executed only once");
      }
      Body body = call.request().body();
      if (!body.isReplayable() && !once.add(body)) {
        throw new IllegalArgumentException("two calls have the same body, which can be sent only"
            + " once: use Body.replayable or Body.of(byte[])");
      }
    }
  }

  /** A call that takes part; if it needs success, another status is a failure. */
  private static final class Entry implements Race.Entrant {
    private final HttpCall call;
    private final boolean needsSuccess;
    private Calls.@Nullable Prepared begun;

    Entry(HttpCall call, boolean needsSuccess) {
      this.call = call;
      this.needsSuccess = needsSuccess;
    }

    @Override
    public void begin() {
      begun = call.begin();
    }

    @Override
    public Response run() throws IOException {
      Response response = call.run(begun);
      return needsSuccess ? response.requireSuccess() : response;
    }

    @Override
    public void cancel() {
      call.cancel();
    }
  }

  /** For the steps of a client, whose hedges are calls too. */
  static Race.Entrant entrant(HttpCall call) {
    return new Entry(call, false);
  }
}
