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
import java.util.concurrent.atomic.AtomicLong;

/** Accepts connections and does on each what its script says, until it is closed. */
final class HostileServer implements AutoCloseable {
  private static final long BYTES_PER_SECOND = 4_000_000;
  private static final Duration SLICE = Duration.ofMillis(5);

  /** What is done on a connection. */
  interface Script {
    void run(Conversation conversation) throws IOException, InterruptedException;
  }

  private final ServerSocket listening;
  private final Script script;
  private final AtomicLong bytesSent = new AtomicLong();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
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
      // The client has gone, as it may.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String url() {
    return "http://127.0.0.1:" + listening.getLocalPort() + "/";
  }

  long bytesSent() {
    return bytesSent.get();
  }

  int connections() {
    return sockets.size();
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
      // What the client sends is read, so that nothing but the flood is wrong.
      Thread.ofVirtual().start(this::readAll);
      byte[][] some = new byte[200][];
      Arrays.fill(some, unit);
      long start = System.nanoTime();
      long sent = 0;
      while (!closed) {
        while (sent < (System.nanoTime() - start) / 1_000 * BYTES_PER_SECOND / 1_000_000) {
          send(some);
          sent += 200L * unit.length;
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
    }

    /** Sends the same with a pause each time. */
    void drip(byte[] unit, Duration pause) throws IOException, InterruptedException {
      while (!closed) {
        send(unit);
        Thread.sleep(pause);
      }
    }

    void sayNothing() throws InterruptedException {
      while (!closed) {
        Thread.sleep(SLICE);
      }
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
