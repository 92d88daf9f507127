package heddle.transport.names;

import heddle.http.syntax.Host;
import heddle.transport.Descriptors;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The system's own name service. A look-up blocks in native code and would hold the carrier of a
 * virtual thread, so it runs on one of a few platform threads, which end when they are idle.
 */
final class SystemResolver implements Resolver {
  private static final int THREADS = 4;
  private static final int MAX_QUEUED = 10_000;
  private static final long IDLE_SECONDS = 5;
  private static final ThreadPoolExecutor LOOKUPS = lookups();

  private final EventLoop loop;
  private final Names names;

  SystemResolver(EventLoop loop) {
    this(loop, InetAddress::getAllByName);
  }

  /** For tests that say when and what the name service answers. */
  SystemResolver(EventLoop loop, Names names) {
    this.loop = loop;
    this.names = names;
  }

  /** Looks a name up; blocks. */
  interface Names {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  private static ThreadPoolExecutor lookups() {
    ThreadPoolExecutor executor = new ThreadPoolExecutor(
        THREADS,
        THREADS,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(MAX_QUEUED),
        Thread.ofPlatform().daemon().name("heddle-names-", 0).factory());
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  @Override
  public List<InetAddress> resolve(String host, Deadline deadline) throws IOException {
    if (Host.isMeantAsAddress(host)) {
      InetAddress address = Host.address(host);
      if (address == null) {
        throw unknown(host, null);
      }
      return List.of(address);
    }
    Thread caller = Thread.currentThread();
    FutureTask<List<InetAddress>> lookup = new FutureTask<>(() -> addresses(host)) {
      @Override
      protected void done() {
        LockSupport.unpark(caller);
      }
    };
    try {
      LOOKUPS.execute(lookup);
    } catch (RejectedExecutionException e) {
      throw new IOException(
          "%,d look-ups wait for the system's name service already".formatted(MAX_QUEUED), e);
    }
    try {
      Waiting.until(lookup::isDone, loop, deadline, "looking up the host " + host);
    } finally {
      lookup.cancel(false);
    }
    return result(host, lookup);
  }

  /** Without a descriptor the name service finds no host, which the JDK would remember. */
  private List<InetAddress> addresses(String host) throws IOException {
    if (Descriptors.areExhausted()) {
      throw Descriptors.exhausted("looking up the host " + host, null);
    }
    try {
      return List.of(names.addresses(host));
    } catch (UnknownHostException e) {
      throw Descriptors.areExhausted(e) || Descriptors.areExhausted()
          ? Descriptors.exhausted("looking up the host " + host, e)
          : unknown(host, e);
    }
  }

  private static List<InetAddress> result(String host, FutureTask<List<InetAddress>> lookup)
      throws IOException {
    try {
      return lookup.resultNow();
    } catch (IllegalStateException e) {
      Throwable failure = lookup.exceptionNow();
      // Only an answer of the name service says that a host is unknown.
      throw failure instanceof IOException known
          ? known
          : new IOException("looking up the host " + host + " failed: " + failure, failure);
    }
  }

  private static UnknownHostException unknown(String host, @Nullable Throwable cause) {
    UnknownHostException e = new UnknownHostException("no address is known for the host " + host);
    e.initCause(cause);
    return e;
  }
}
