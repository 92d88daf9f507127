package heddle.adapters.jdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import heddle.testkit.mock.TestIdentity;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/** A server of WebSockets whose frames are written and read by the test, on its own thread. */
final class WebSocketPeer implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final Pattern KEY =
      Pattern.compile("Sec-WebSocket-Key: (\\S+)", Pattern.CASE_INSENSITIVE);

  private final String scheme;
  private final ServerSocket server;
  private final List<Connection> connections = new CopyOnWriteArrayList<>();

  /** A frame of the client, without its mask. */
  record Frame(boolean last, int opcode, byte[] payload) {
    String text() {
      return new String(payload, UTF_8);
    }

    /** Such as {@code 8 1000 bye} for a Close frame, and {@code 1 hello} for a text. */
    @Override
    public String toString() {
      if (opcode == 8 && payload.length >= 2) {
        int code = ByteBuffer.wrap(payload).getShort() & 0xFFFF;
        return "8 " + code + " " + new String(payload, 2, payload.length - 2, UTF_8);
      }
      return opcode + (last ? " " : "... ") + text();
    }
  }

  private WebSocketPeer(String scheme, ServerSocketFactory sockets) throws IOException {
    this.scheme = scheme;
    server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_MILLIS);
  }

  static WebSocketPeer start() throws IOException {
    return new WebSocketPeer("ws", ServerSocketFactory.getDefault());
  }

  static WebSocketPeer withTls(TestIdentity identity) throws GeneralSecurityException, IOException {
    return new WebSocketPeer("wss", identity.serving().getServerSocketFactory());
  }

  int port() {
    return server.getLocalPort();
  }

  URI uri() {
    return URI.create(scheme + "://127.0.0.1:" + port() + "/chat?room=1");
  }

  /** Waits for the next connection. */
  Connection accept() throws IOException {
    Connection connection = new Connection(server.accept());
    connections.add(connection);
    return connection;
  }

  /** Waits for the next connection, and opens its WebSocket. */
  Connection open() throws IOException {
    Connection connection = accept();
    connection.open("");
    return connection;
  }

  @Override
  public void close() throws IOException {
    try (server) {
      for (Connection each : connections) {
        each.close();
      }
    }
  }

  /** One connection of a client. */
  static final class Connection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    private Connection(Socket socket) throws IOException {
      this.socket = socket;
      socket.setSoTimeout(PATIENCE_MILLIS);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 * 1024));
      out = socket.getOutputStream();
    }

    /** Reads the head of a request. */
    String head() throws IOException {
      StringBuilder head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) in.readUnsignedByte());
      }
      return head.toString();
    }

    void send(String text) throws IOException {
      send(text.getBytes(ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    /**
     * Reads a request and switches to WebSocket.
     *
     * @param fields more fields, each with its line end
     * @return the head of the request
     */
    String open(String fields) throws IOException {
      String head = head();
      send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: " + accept(head) + "\r\n" + fields + "\r\n");
      return head;
    }

    /** RFC 6455 section 4.2.2. */
    static String accept(String head) {
      Matcher key = KEY.matcher(head);
      assertEquals(true, key.find(), head);
      String text = key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
      try {
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        return Base64.getEncoder().encodeToString(sha1.digest(text.getBytes(ISO_8859_1)));
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError(e);
      }
    }

    /**
     * Sends a frame (RFC 6455 section 5.2).
     *
     * @param first its first octet, such as 0x81 for a whole text
     */
    void frame(int first, byte[] payload) throws IOException {
      ByteBuffer frame = ByteBuffer.allocate(10 + payload.length);
      announce(frame, first, payload.length);
      send(Arrays.copyOf(frame.put(payload).array(), frame.position()));
    }

    void frame(int first, String payload) throws IOException {
      frame(first, payload.getBytes(UTF_8));
    }

    /** Sends the header of a frame. */
    void announce(int first, long length) throws IOException {
      ByteBuffer header = ByteBuffer.allocate(10);
      announce(header, first, length);
      send(Arrays.copyOf(header.array(), header.position()));
    }

    private static void announce(ByteBuffer target, int first, long length) {
      target.put((byte) first);
      if (length < 126) {
        target.put((byte) length);
      } else if (length < 65536) {
        target.put((byte) 126).putShort((short) length);
      } else {
        target.put((byte) 127).putLong(length);
      }
    }

    /** Sends a Close frame. */
    void close(int code, String reason) throws IOException {
      byte[] text = reason.getBytes(UTF_8);
      frame(
          0x88,
          ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text).array());
    }

    /** Reads a frame. */
    Frame read() throws IOException {
      Frame frame = readOrEnd();
      assertNotNull(frame, "the client ended the connection instead of sending a frame");
      return frame;
    }

    /** Reads a frame; null at the end of the connection. */
    @Nullable
    Frame readOrEnd() throws IOException {
      int first;
      try {
        first = in.readUnsignedByte();
      } catch (EOFException | SocketException e) {
        return null;
      }
      int second = in.readUnsignedByte();
      assertEquals(0x80, second & 0x80, "clients mask");
      long length = second & 0x7F;
      if (length == 126) {
        length = in.readUnsignedShort();
      } else if (length == 127) {
        length = in.readLong();
      }
      byte[] key = in.readNBytes(4);
      byte[] payload = in.readNBytes((int) length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= key[i & 3];
      }
      return new Frame((first & 0x80) != 0, first & 0x0F, payload);
    }

    /** Waits for the first byte of a frame, without reading it. */
    void awaitFrame() throws IOException {
      in.mark(1);
      assertNotEquals(-1, in.read());
      in.reset();
    }

    /** Reads frames up to the end of a message, and returns its content. */
    byte[] readMessage(int opcode) throws IOException {
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      Frame frame = read();
      assertEquals(opcode, frame.opcode());
      content.writeBytes(frame.payload());
      while (!frame.last()) {
        frame = read();
        assertEquals(0, frame.opcode());
        content.writeBytes(frame.payload());
      }
      return content.toByteArray();
    }

    /** The client ends the connection before it sends anything else. */
    void expectEnd() throws IOException {
      assertEquals(null, readOrEnd());
    }

    /** Reads until the connection ends. */
    void drain() throws IOException {
      try {
        in.transferTo(OutputStream.nullOutputStream());
      } catch (SocketException e) {
        // A reset is an end too.
      }
    }

    /** Breaks the connection with a reset. */
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
