package heddle.load.cluster.crew;

import heddle.load.LoadProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's handle on one process of a crew. Safe for use by many threads.
 *
 * <p>It is not killed when this JVM ends: if the user stops a load, it still has to report its
 * result. It ends by itself when its orders end.
 */
final class Member implements AutoCloseable {

  private final Peer peer;

  /** Released when it is ready to begin, or has ended. */
  private final CountDownLatch settled = new CountDownLatch(1);

  /** Released when all its answers were read. */
  private final CountDownLatch ended = new CountDownLatch(1);

  private volatile boolean isReady;
  private volatile @Nullable LoadProgress progress;
  private volatile @Nullable String result;
  private volatile String trouble = "";

  private Member(Peer peer) {
    this.peer = peer;
  }

  /** Listens to a process from now on. */
  static Member of(Peer peer) {
    Member member = new Member(peer);
    Thread.ofVirtual().name("crew-member").start(member::listen);
    return member;
  }

  private void listen() {
    try {
      Answer answer = peer.channel().receive(Answer.class);
      while (answer != null) {
        take(answer);
        answer = peer.channel().receive(Answer.class);
      }
    } catch (IOException e) {
      trouble = String.valueOf(e.getMessage());
      peer.close();
    } finally {
      settled.countDown();
      ended.countDown();
    }
  }

  private void take(Answer answer) {
    switch (answer) {
      case Answer.Ready _ -> {
        isReady = true;
        settled.countDown();
      }
      case Answer.Going(LoadProgress how) -> progress = how;
      case Answer.Result(String json) -> result = json;
      case Answer.Failure(String cause) -> trouble = cause;
      case Answer.Clock _ -> {
        // Asked for by the peer only, before.
      }
    }
  }

  /** Waits until it is ready to begin; returns false after the timeout. */
  boolean awaitReady(long millis) throws InterruptedException {
    return settled.await(millis, TimeUnit.MILLISECONDS) && isReady;
  }

  /** Waits until its answers have ended; returns false after the timeout. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Does nothing if the process has ended; reading its result will report that. */
  private void tell(Order order) {
    try {
      peer.channel().send(order);
    } catch (IOException e) {
      trouble = trouble.isEmpty() ? "it takes no orders" : trouble;
    }
  }

  /** Lets it begin at a time by the clock of this process. */
  void begin(Instant time) {
    tell(new Order.Start(time.plus(peer.ahead())));
  }

  void stop() {
    tell(new Order.Stop());
  }

  /** Its progress; empty before the first report. */
  Optional<LoadProgress> progress() {
    return Optional.ofNullable(progress);
  }

  /** How far its clock is ahead of that of this process. */
  Duration ahead() {
    return peer.ahead();
  }

  /** Its result; empty if it ended without one. */
  Optional<String> result() {
    return Optional.ofNullable(result);
  }

  /** How it ended, and its last output. */
  String lastWords() throws IOException, InterruptedException {
    return peer.lastWords() + (trouble.isEmpty() ? "" : " (" + trouble + ")");
  }

  /** Ends it at once if it is still running. */
  @Override
  public void close() {
    peer.close();
  }
}
