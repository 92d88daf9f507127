package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A server that follows a script, byte for byte, on any {@link Network}. Each connection runs its
 * script on a virtual thread (one of the world's on a {@link SimNetwork}); when the script returns
 * the connection is closed. A script that fails makes {@link #close} and {@link #awaitScripts}
 * throw an {@link AssertionError} that shows what came instead.
 *
 * <pre>{@code
 * try (ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> {
 *   c.expect("GET /hello HTTP/1.1\r\nHost: " + c.channel().localAddress() + "\r\n\r\n");
 *   c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!");
 *   c.expectEnd();
 * })) {
 *   client.send(Request.get(peer.url("/hello")));
 * }
 * }</pre>
 */
public final class ScriptedPeer implements AutoCloseable {
  private static final long CLOSE_SECONDS = 5;
  private static final long AWAIT_SECONDS = 30;

  /** What to do with a connection. */
  @FunctionalInterface
  public interface Script {
    /** Plays the script; what it throws fails the test. */
    void run(RawConnection connection) throws Exception;
  }

  /** The test's side of a visit. */
  @FunctionalInterface
  public interface Visit {
    /** Does the work with this peer. */
    void to(ScriptedPeer peer) throws Exception;
  }

  private final Network network;
  private final ThreadFactory threads;
  private final IntFunction<@Nullable Script> scripts;
  private final int expected;
  private final Network.Listening listening;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by lock.
  private final List<Run> runs = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private int finished;
  private boolean closing;

  private record Run(Thread thread, RawConnection connection) {}

  private ScriptedPeer(
      Network network,
      InetSocketAddress address,
      int expected,
      IntFunction<@Nullable Script> scripts)
      throws IOException {
    this.network = network;
    this.threads = network instanceof SimNetwork sim
        ? sim.threadFactory()
        : Thread.ofVirtual().name("heddle-script-", 0).factory();
    this.expected = expected;
    this.scripts = scripts;
    this.listening = network.listen(address, 128, this::accepted);
  }

  /**
   * The first connection follows the first script, and so on; a connection too many or too few is a
   * failure, and so is a script that has not come to its end when the peer is closed.
   */
  public static ScriptedPeer inOrder(Network network, Script... scripts) throws IOException {
    List<Script> list = List.of(scripts);
    return new ScriptedPeer(
        network, anyPort(), list.size(), i -> i < list.size() ? list.get(i) : null);
  }

  /** Serves one connection on loopback by a script, as long as the visit lasts. */
  public static void visit(Script script, Visit visit) throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = inOrder(network, script)) {
      visit.to(peer);
    }
  }

  /** Every connection follows the same script; those that still run at the close are ended. */
  public static ScriptedPeer each(Network network, Script script) throws IOException {
    return each(network, anyPort(), script);
  }

  /** As {@link #each(Network, Script)}, at an address of the test's choice. */
  public static ScriptedPeer each(Network network, InetSocketAddress address, Script script)
      throws IOException {
    return new ScriptedPeer(network, address, -1, i -> script);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** Where the peer listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.address();
  }

  /** The port at which the peer listens. */
  public int port() {
    return address().getPort();
  }

  /** A URL of this peer, such as {@code http://127.0.0.1:49152/hello}. */
  public String url(String path) {
    return "http://" + address().getHostString() + ":" + port() + path;
  }

  /** How many connections were accepted so far. */
  public int connections() {
    lock.lock();
    try {
      return runs.size();
    } finally {
      lock.unlock();
    }
  }

  // ---- running

  /** On the loop. */
  private void accepted(Channel channel) {
    lock.lock();
    try {
      Script script = scripts.apply(runs.size());
      if (script == null) {
        failures.add(new AssertionError("connection " + (runs.size() + 1) + " came, " + plan()));
        channel.close();
        return;
      }
      RawConnection connection = new RawConnection(network, channel);
      int number = runs.size() + 1;
      Thread thread = threads.newThread(() -> follow(script, connection, number));
      runs.add(new Run(thread, connection));
      thread.start();
    } finally {
      lock.unlock();
    }
  }

  private String plan() {
    return "there is a script for " + expected;
  }

  private void follow(Script script, RawConnection connection, int number) {
    Throwable failure = null;
    try {
      script.run(connection);
    } catch (Throwable t) {
      failure = t;
    }
    connection.close();
    lock.lock();
    try {
      if (failure != null && !(closing && expected < 0)) {
        failures.add(new AssertionError(
            "the script of connection " + number + " failed: " + failure.getMessage(), failure));
      }
      finished++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- the end

  /**
   * Waits until every script, or for {@link #each} every one begun, has come to its end.
   *
   * @throws AssertionError if one failed, or not all ended within 30 s of real time
   */
  public void awaitScripts() throws InterruptedException {
    awaitFinished(AWAIT_SECONDS);
    throwFailure();
  }

  /**
   * Stops listening and ends the scripts.
   *
   * @throws AssertionError if a script failed, or one of {@link #inOrder} did not come to its end
   */
  @Override
  public void close() {
    listening.close();
    try {
      if (expected >= 0) {
        awaitFinished(CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    endAll();
    throwFailure();
  }

  private void awaitFinished(long seconds) throws InterruptedException {
    long left = TimeUnit.SECONDS.toNanos(seconds);
    lock.lock();
    try {
      while (finished < Math.max(expected, runs.size()) && failures.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (finished < Math.max(expected, runs.size()) && failures.isEmpty()) {
        failures.add(unfinished(seconds));
      }
    } finally {
      lock.unlock();
    }
  }

  private AssertionError unfinished(long seconds) {
    AssertionError failure = new AssertionError("after " + seconds + " s " + finished
        + " scripts had ended, " + runs.size() + " connections had come, and " + plan());
    for (Run run : runs) {
      if (run.thread().isAlive()) {
        Throwable where = new Throwable("a script is still here");
        where.setStackTrace(run.thread().getStackTrace());
        failure.addSuppressed(where);
      }
    }
    return failure;
  }

  private void endAll() {
    List<Run> open;
    lock.lock();
    try {
      closing = true;
      open = List.copyOf(runs);
    } finally {
      lock.unlock();
    }
    for (Run run : open) {
      run.connection().close();
      run.thread().interrupt();
    }
  }

  private void throwFailure() {
    lock.lock();
    try {
      if (failures.isEmpty()) {
        return;
      }
      AssertionError first =
          new AssertionError(failures.getFirst().getMessage(), failures.getFirst());
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    } finally {
      lock.unlock();
    }
  }
}
