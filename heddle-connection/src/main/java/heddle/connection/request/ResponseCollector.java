package heddle.connection.request;

import heddle.connection.CompleteBody;
import heddle.connection.ContentFields;
import heddle.connection.Exchange;
import heddle.connection.InboundBody;
import heddle.connection.MinimumRate;
import heddle.connection.SilenceException;
import heddle.connection.WaitLimit;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The response of one exchange, of either version, on its way from the loop, which fills it in, to
 * the caller, which waits for it. A small body is collected, so that the caller gets it whole; a
 * larger or slower one is streamed. Also decides for how long the peer may be silent meanwhile.
 *
 * <p>The loop writes what the answer consists of and then {@code answered}; the caller reads {@code
 * answered} and then the rest. What arrives after that goes through {@link InboundBody}.
 */
public final class ResponseCollector {
  /** For {@link #park}: the wait begins now. */
  public static final long NOT_WAITING = -1;

  private static final byte[] NO_CONTENT = {};

  private static final AtomicIntegerFieldUpdater<ResponseCollector> OVER =
      AtomicIntegerFieldUpdater.newUpdater(ResponseCollector.class, "over");

  private final Exchange owner;
  private final InboundBody.Source source;
  private final EventLoop loop;
  private final int mostUnread;

  /** Waits for the answer. Used by the loop, which forgets it then: the content may take hours. */
  private Thread caller = Thread.currentThread();

  /** For a request that wants interim responses; null for most. */
  private final @Nullable InterimResponses interims;

  private final MinimumRate minRate;
  private volatile long heardAt;

  // The loop's own: the rate of the content, once it was checked; whether a byte of the response
  // has arrived; how many bytes the streamed body was given.
  private MinimumRate.@Nullable Progress rate;
  private boolean begun;
  private long streamed;

  // Used by the loop only until `answered`, then read by the caller.
  private @Nullable Headers headers;
  private byte[] content = NO_CONTENT;
  private int contentSize;
  private @Nullable InboundBody body;
  private @Nullable Exception failure;
  private Headers trailers = Headers.empty();

  private volatile boolean complete;
  private volatile boolean answered;

  /** Written once, on the loop: whether another protocol follows, without the call's limits. */
  private volatile boolean unlimited;

  /** 1 once the exchange has ended; an int to save an object. */
  private volatile int over;

  /**
   * Of a request that the calling thread is about to send.
   *
   * @param source of the body, if it is streamed
   * @param mostUnread above this many unread bytes a streamed body pauses its source
   */
  public ResponseCollector(
      Request request,
      Exchange owner,
      InboundBody.Source source,
      EventLoop loop,
      int mostUnread,
      long now) {
    this.owner = owner;
    this.source = source;
    this.loop = loop;
    this.mostUnread = mostUnread;
    this.interims =
        InterimResponses.areWanted(request) ? new InterimResponses(request, owner, loop) : null;
    this.minRate = owner.minRate();
    this.heardAt = now;
  }

  // ---- what arrives, on the loop

  public void interim(Status status, Headers fields) {
    if (interims != null) {
      interims.add(status, fields);
    }
  }

  /** The header section of the final response. */
  public void head(Headers fields) {
    headers = fields;
  }

  /** Content, after the head; copied. Returns false if it will not be read. */
  public boolean append(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (body == null && contentSize + count > InboundBody.MOST_AT_ONCE_BYTES) {
      stream();
    }
    if (body != null) {
      boolean kept = body.append(bytes);
      streamed += kept ? count : 0;
      return kept;
    }
    if (content.length - contentSize < count) {
      content = Arrays.copyOf(content, Math.max(contentSize + count, 2 * content.length));
    }
    bytes.get(content, contentSize, count);
    contentSize += count;
    return true;
  }

  /** All of the response has arrived. */
  public void complete(Headers fields) {
    trailers = fields;
    complete = true;
    if (body != null) {
      body.end(fields);
    }
  }

  /** From any thread: whether all of the response has arrived. */
  public boolean isComplete() {
    return complete;
  }

  /** If the response has begun and goes on, its content is streamed from now on. */
  public void streamRest() {
    if (headers != null && body == null && !complete && !answered) {
      stream();
    }
  }

  private void stream() {
    // What follows in another protocol has neither a length nor a type that the fields could state.
    Headers fields = unlimited ? Headers.empty() : headers();
    body = new InboundBody(source, loop, mostUnread, ContentFields.declaredLength(fields), fields);
    if (contentSize > 0) {
      streamed = contentSize;
      body.append(ByteBuffer.wrap(content, 0, contentSize));
      content = NO_CONTENT;
      contentSize = 0;
    }
  }

  /** How many bytes the streamed body was given, without those that will not be read. */
  public long streamed() {
    return streamed;
  }

  /** There will be no response. */
  public void refuse(Exception why) {
    failure = why;
  }

  /** After the input of a read: wakes the caller if its wait is over. Returns whether it did. */
  public boolean publish() {
    if (answered || (headers == null && failure == null)) {
      return false;
    }
    answered = true;
    loop.unpark(caller);
    caller = Thread.currentThread();
    return true;
  }

  /**
   * Fails the content if it is streamed, otherwise the exchange. A complete response is not
   * affected.
   *
   * @param wanted whether the response is: if its head has arrived, even in the same read as the
   *     failure, the caller gets the response, and reading its content fails. The outcome must not
   *     depend on how TCP has divided the bytes
   */
  public void fail(Exception cause, boolean wanted) {
    if (complete) {
      return;
    }
    if (wanted && failure == null) {
      streamRest();
    }
    if (body != null) {
      body.fail(cause);
    } else if (!answered && failure == null) {
      failure = cause;
    }
    publish();
  }

  // ---- how long the peer may be silent

  /** On the loop: from now on neither the call's deadline nor other limits for the peer hold. */
  public void liftLimits() {
    unlimited = true;
  }

  /** Some of the response has arrived; on the loop. */
  public void heard(long now) {
    begun = true;
    if (!complete) {
      heardAt = now;
    }
  }

  /** The wait for the peer begins anew: it was not its turn before. From any thread. */
  public void waitFrom(long now) {
    heardAt = now;
  }

  /** When the peer was last heard, or the wait for it began, on the clock's scale. */
  public long heardAt() {
    return heardAt;
  }

  /**
   * On the loop: when to check the time again. If the limit for the first byte is longer than the
   * silence allowed later, this is the earlier of the two, because the response may begin before.
   */
  public long nextLook(long now) {
    if (unlimited) {
      return Deadline.NEVER_NANOS;
    }
    long silence = owner.maxSilenceNanos();
    long limit = nextLimit();
    long next = silence == Deadline.NEVER_NANOS ? limit : Math.min(limit, now + silence);
    if (!minRate.isOn()) {
      return next;
    }
    return Math.min(next, rate == null ? now + minRate.graceNanos() : rate.dueAt());
  }

  /** On the loop: when the exchange is out of time, as far as is known. */
  public long nextLimit() {
    if (unlimited) {
      return Deadline.NEVER_NANOS;
    }
    long silence = owner.maxSilenceNanos(begun);
    long silentAt = silence == Deadline.NEVER_NANOS ? silence : heardAt + silence;
    return Math.min(owner.deadline().nanos(), silentAt);
  }

  /**
   * On the loop: why the exchange is out of time, or null if it is not.
   *
   * @param peersTurn whether it is the peer's turn to send
   * @param heldBack whether our side may have kept the peer waiting since the last check
   */
  public @Nullable IOException overdue(long now, boolean peersTurn, boolean heldBack) {
    if (unlimited) {
      return null;
    }
    Deadline deadline = owner.deadline();
    if (!deadline.isNever() && now >= deadline.nanos()) {
      return new DeadlinePassedException("the call's deadline passed");
    }
    if (!peersTurn) {
      heardAt = now;
    }
    if (now >= nextLimit()) {
      return SilenceException.of(owner, begun, now - heardAt);
    }
    if (body == null || !minRate.isOn()) {
      return null;
    }
    if (rate == null) {
      rate = new MinimumRate.Progress(minRate, now);
    }
    rate.look(now, streamed, body.wasPaused() || heldBack || !peersTurn);
    return rate.isTooSlow() ? new MinimumRate.TooSlowException(minRate) : null;
  }

  // ---- the caller's side

  /** Whether the content waits for 100 (Continue). */
  public boolean expectsContinue() {
    return interims != null && interims.expectsContinue();
  }

  /** Parks until the content is to be sent; false if the answer came first. */
  public boolean awaitContinue() throws IOException {
    return interims == null || interims.awaitContinue(this::isAnswered);
  }

  /** Parks until the response has begun, or failed. */
  public void awaitAnswer() throws IOException {
    if (interims != null) {
      long began = now();
      interims.awaitAnswer(this::isAnswered, () -> checkWait(began, now()));
    }
    long since = NOT_WAITING;
    while (!answered) {
      since = park("interrupted while waiting for a response", since);
    }
  }

  /**
   * Parks once, for as long as the exchange may wait. Returns when the wait began.
   *
   * @param interrupted the message if the thread is interrupted
   * @param since as returned the last time; at first {@link #NOT_WAITING}
   * @throws InterruptedIOException when the thread is interrupted; its flag stays set
   * @throws IOException if the time is up and the connection's timer has not fired
   */
  public long park(String interrupted, long since) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(interrupted);
    }
    long now = now();
    long began = since == NOT_WAITING ? now : since;
    loop.park(this, checkWait(began, now));
    return began;
  }

  private long now() {
    return loop.clock().nanoTime();
  }

  /** As {@link WaitLimit#check()}, of a wait for the response or for its content. */
  public long checkWait(long since, long now) throws IOException {
    return unlimited
        ? Deadline.NEVER_NANOS
        : WaitLimit.check(owner, answered, Math.max(heardAt, since), now);
  }

  /** From any thread: whether the response has begun, or failed. */
  public boolean isAnswered() {
    return answered;
  }

  /** What went wrong instead of an answer; null if nothing did, or there is no answer yet. */
  public @Nullable Exception failure() {
    return answered ? failure : null;
  }

  private Headers headers() {
    if (headers == null) {
      throw new IllegalStateException("there is no answer yet");
    }
    return headers;
  }

  /** Once there is an answer: whether its content is streamed. */
  public boolean isStreaming() {
    return body != null;
  }

  /** Once there is an answer: the content, complete or still arriving. */
  public Body body() {
    if (body != null) {
      return body;
    }
    byte[] exact = contentSize == content.length ? content : Arrays.copyOf(content, contentSize);
    return new CompleteBody(exact, headers());
  }

  /** Once there is an answer: its trailer section. */
  public Trailers trailers() {
    if (body != null) {
      return Trailers.of(body::trailers);
    }
    return trailers.isEmpty() ? Trailers.none() : Trailers.of(trailers);
  }

  /** Once there is an answer: how many bytes of content have arrived. */
  public long received() {
    return body == null ? contentSize : body.received();
  }

  /** Once there is an answer whose content is streamed: its fields are not needed any more. */
  public void forgetHead() {
    headers = Headers.empty();
  }

  /** Closes the streamed body, if there is one, which also ends the exchange. */
  public void closeBody() {
    if (body != null) {
      body.close();
    }
  }

  /** From any thread: the exchange ends. True on the first call only. */
  public boolean endOnce() {
    return over == 0 && OVER.compareAndSet(this, 0, 1);
  }
}
