package heddle.verify.soak;

import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the servers of a world have done with each request, by its number; the first violation that
 * a thread saw; and what the client reports. Safe for use by many threads.
 */
final class Ledger implements ExchangeListener {
  private final ConcurrentMap<Integer, Integer> processed = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, Integer> started = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, Integer> ended = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, Integer> repeated = new ConcurrentHashMap<>();
  private final Queue<String> endings = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable BrokenInvariant> broken = new AtomicReference<>();

  /** Content that is derived from a request's number, so that both sides know it. */
  static byte[] content(int id, int length) {
    byte[] content = new byte[length];
    new Random(31L * id + length).nextBytes(content);
    return content;
  }

  /** A server begins to work on a request. */
  void process(int id) {
    processed.merge(id, 1, Integer::sum);
  }

  int processed(int id) {
    return processed.getOrDefault(id, 0);
  }

  /** A call has ended. */
  void end(String how) {
    endings.add(how);
  }

  /** How calls ended, in the order in which they did. */
  List<String> endings() {
    return List.copyOf(endings);
  }

  // ---- what the client reports

  @Override
  public void callStarted(CallInfo call) {
    started.merge(id(call), 1, Integer::sum);
  }

  @Override
  public void callEnded(CallSummary summary) {
    ended.merge(id(summary.call()), 1, Integer::sum);
  }

  @Override
  public void retried(AttemptInfo attempt, Duration delay) {
    repeated.merge(id(attempt.call()), 1, Integer::sum);
  }

  private static int id(CallInfo call) {
    String id = call.request().headers().first("X-Id");
    return id == null ? 0 : Integer.parseInt(id);
  }

  int repeated(int id) {
    return repeated.getOrDefault(id, 0);
  }

  /** Whether the end of each call that began was reported exactly once. */
  boolean isBalanced(int id) {
    return Objects.equals(started.get(id), ended.get(id));
  }

  /** A server has read the whole content of a request. */
  void uploaded(int id, byte[] content, int length) {
    if (!Arrays.equals(content, content(id, length))) {
      broken("request " + id + " came with content that was not sent: " + content.length
          + " bytes instead of " + length);
    }
  }

  void broken(String what) {
    broken.compareAndSet(null, new BrokenInvariant(what));
  }

  void broken(String what, Throwable cause) {
    broken.compareAndSet(null, new BrokenInvariant(what, cause));
  }

  boolean isBroken() {
    return broken.get() != null;
  }

  /**
   * @throws BrokenInvariant the first violation, if there was any
   */
  void check() {
    BrokenInvariant first = broken.get();
    if (first != null) {
      throw first;
    }
  }
}
