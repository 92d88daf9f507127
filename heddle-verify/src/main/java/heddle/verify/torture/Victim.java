package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A well-behaved client of a server under attack: one small call after the other on its own
 * connection, each with a deadline of 2 s. Most are GETs, some are POSTs that must not be processed
 * twice. It knows nothing of the engine.
 */
final class Victim implements AutoCloseable {
  static final int DEADLINE_MILLIS = 2_000;
  private static final int PAUSE_MILLIS = 1;
  private static final int CALLS_PER_POST = 8;
  private static final String GET = "GET /small HTTP/1.1\r\nHost: victim\r\n\r\n";

  /**
   * One call.
   *
   * @param nanos how long it took, without stalls of the machine
   * @param status of the response; 0 if there was none in time
   * @param failure why there was none; empty if there was
   */
  record Call(long nanos, int status, String failure) {}

  private final InetSocketAddress server;
  private final Stalls stalls;
  private final @Nullable SSLSocketFactory tls;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. */
  private List<Call> calls = new ArrayList<>();

  private volatile boolean closed;
  private @Nullable Socket socket;
  private int made;

  /** @param tls makes the client's sockets; null for cleartext */
  Victim(InetSocketAddress server, Stalls stalls, @Nullable SSLSocketFactory tls) {
    this.tls = tls;
    this.server = server;
    this.stalls = stalls;
    thread = Thread.ofPlatform().daemon().name("torture-victim").start(this::run);
  }

  private void run() {
    while (!closed) {
      Call call = call();
      lock.lock();
      try {
        calls.add(call);
      } finally {
        lock.unlock();
      }
      try {
        Thread.sleep(call.status() == 0 ? 10 * PAUSE_MILLIS : PAUSE_MILLIS);
      } catch (InterruptedException e) {
        break;
      }
    }
    drop();
  }

  /** The latencies of the calls since the last time that this was called. */
  Latencies take() {
    lock.lock();
    try {
      List<Call> taken = calls;
      calls = new ArrayList<>();
      return Latencies.of(taken);
    } finally {
      lock.unlock();
    }
  }

  private Call call() {
    long start = System.nanoTime();
    int status = 0;
    String failure = "";
    try {
      Socket connected = socket;
      if (connected == null) {
        connected = connect(server, tls);
        socket = connected;
      }
      Answer answer = exchange(connected, next(), start);
      status = answer.status();
      if (answer.isLast()) {
        drop();
      }
    } catch (IOException e) {
      failure = e.toString();
      drop();
    }
    long end = System.nanoTime();
    return new Call(Math.max(0, end - start - stalls.nanosWithin(start, end)), status, failure);
  }

  /** @param isLast whether the server closes the connection after it */
  private record Answer(int status, boolean isLast) {
    static Answer of(String head) {
      boolean last = head.lines().anyMatch(line -> line.equalsIgnoreCase("Connection: close"));
      return new Answer(Integer.parseInt(head.substring(9, 12)), last);
    }
  }

  private String next() {
    made++;
    String id = Integer.toString(made);
    return made % CALLS_PER_POST > 0
        ? GET
        : "POST " + TortureServer.ONCE + " HTTP/1.1\r\nHost: victim\r\nContent-Length: "
            + id.length() + "\r\n\r\n" + id;
  }

  private static Socket connect(InetSocketAddress server, @Nullable SSLSocketFactory tls)
      throws IOException {
    Socket connected = new Socket();
    try {
      connected.setTcpNoDelay(true);
      connected.setSoTimeout(DEADLINE_MILLIS);
      connected.connect(server, DEADLINE_MILLIS);
      return tls == null
          ? connected
          : tls.createSocket(connected, "localhost", server.getPort(), true);
    } catch (IOException e) {
      connected.close();
      throw e;
    }
  }

  /** Makes one call on a new connection; the status, or 0 without an answer in time. */
  static int once(InetSocketAddress server, @Nullable SSLSocketFactory tls) {
    try (Socket fresh = connect(server, tls)) {
      return exchange(fresh, GET, System.nanoTime()).status();
    } catch (IOException e) {
      return 0;
    }
  }

  private static Answer exchange(Socket connected, String request, long start) throws IOException {
    connected.getOutputStream().write(request.getBytes(ISO_8859_1));
    InputStream in = connected.getInputStream();
    var came = new StringBuilder();
    byte[] buffer = new byte[1_024];
    while (true) {
      int length = came.indexOf("\r\n\r\n");
      if (length >= 0 && came.length() >= length + 4 + contentLength(came.substring(0, length))) {
        return Answer.of(came.substring(0, length));
      }
      long left = DEADLINE_MILLIS - (System.nanoTime() - start) / 1_000_000;
      if (left <= 0) {
        throw new IOException("no response within " + DEADLINE_MILLIS + " ms");
      }
      connected.setSoTimeout((int) left);
      int read = in.read(buffer);
      if (read < 0) {
        throw new IOException("the connection ended after \"" + came + "\"");
      }
      came.append(new String(buffer, 0, read, ISO_8859_1));
    }
  }

  private static int contentLength(String head) {
    for (String line : head.split("\r\n", -1)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        return Integer.parseInt(line.substring(15).strip());
      }
    }
    return 0;
  }

  private void drop() {
    Socket connected = socket;
    socket = null;
    if (connected != null) {
      try {
        connected.close();
      } catch (IOException e) {
        // Nothing more is done with it.
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(DEADLINE_MILLIS + 500L);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
