package heddle.verify.torture;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Accepts connections and does on each what its script says, until it is closed. */
final class HostileServer implements AutoCloseable {
  /** Of all connections together: below the megabyte up to which others must hardly notice. */
  private static final long BYTES_PER_SECOND = 900_000;

  private static final int UNITS_AT_ONCE = 50;
  private static final Duration SLICE = Duration.ofMillis(5);

  /** What is done on a connection. */
  interface Script {
    void run(Conversation conversation) throws IOException, InterruptedException;
  }

  private final ServerSocket listening;
  private final Script script;
  private final AtomicLong bytesSent = new AtomicLong();
  private final AtomicLong flooded = new AtomicLong();
  private final AtomicLong floodBegan = new AtomicLong();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private volatile boolean closed;

  HostileServer(Script script) throws IOException {
    this.script = script;
    listening = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("torture-hostile").start(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        sockets.add(socket);
        mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
        Thread.ofVirtual().start(() -> talk(socket));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void talk(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      script.run(new Conversation(socket));
    } catch (IOException e) {
      // The client has gone, which it may.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(socket);
      open.decrementAndGet();
    }
  }

  String url() {
    return "http://127.0.0.1:" + listening.getLocalPort() + "/";
  }

  long bytesSent() {
    return bytesSent.get();
  }

  /** How many conversations have not ended. */
  int open() {
    return open.get();
  }

  /** As {@link #open()}, once there are none or that much time has passed. */
  int openAfter(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (open.get() > 0 && System.nanoTime() < end) {
      Thread.sleep(SLICE);
    }
    return open.get();
  }

  /** The most that were open at once. */
  int mostOpen() {
    return mostOpen.get();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** A connection with a client. For one thread. */
  final class Conversation {
    private final DataInputStream in;
    private final OutputStream out;

    /** Whether the client has ended the connection. */
    private volatile boolean gone;

    private Conversation(Socket socket) throws IOException {
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    }

    void send(byte[]... pieces) throws IOException {
      byte[] all = Http2Bytes.join(pieces);
      out.write(all);
      bytesSent.addAndGet(all.length);
    }

    /** Sends the same again and again. */
    void flood(byte[] unit) throws IOException, InterruptedException {
      // Reads what the client sends, so that only the flood is wrong.
      Thread.ofVirtual().start(this::readAll);
      byte[][] some = new byte[UNITS_AT_ONCE][];
      Arrays.fill(some, unit);
      floodBegan.compareAndSet(0, System.nanoTime());
      while (!closed && !gone) {
        long micros = (System.nanoTime() - floodBegan.get()) / 1_000;
        while (flooded.get() < micros * BYTES_PER_SECOND / 1_000_000) {
          flooded.addAndGet((long) UNITS_AT_ONCE * unit.length);
          send(some);
        }
        Thread.sleep(SLICE);
      }
    }

    private void readAll() {
      try {
        in.transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // The connection is over.
      }
      gone = true;
    }

    /** Sends the same with a pause each time. */
    void drip(byte[] unit, Duration pause) throws IOException, InterruptedException {
      Thread.ofVirtual().start(this::readAll);
      while (!closed && !gone) {
        send(unit);
        Thread.sleep(pause);
      }
    }

    /** Reads until the client has gone. */
    void sayNothing() {
      readAll();
    }

    /** Reads the head of an HTTP/1.1 request. */
    void readRequest() throws IOException {
      int last = 0;
      while (last != 0x0D0A0D0A) {
        last = last << 8 | in.readUnsignedByte();
      }
    }

    /** Reads the preface and sends SETTINGS. */
    void begin() throws IOException {
      in.readFully(new byte[24]);
      send(Http2Bytes.settings(), Http2Bytes.frame(Http2Bytes.SETTINGS, Http2Bytes.ACK, 0));
    }

    /** Reads frames up to the next head of a request, and returns its stream. */
    int readHeaders() throws IOException {
      while (true) {
        int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
        int type = in.readUnsignedByte();
        in.readUnsignedByte();
        int stream = in.readInt();
        in.readFully(new byte[length]);
        if (type == Http2Bytes.HEADERS) {
          return stream;
        }
      }
    }
  }
}
