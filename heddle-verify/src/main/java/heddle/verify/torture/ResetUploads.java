package heddle.verify.torture;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;

/**
 * Uploads on one HTTP/2 connection that are reset again and again while their handlers do not read:
 * what they used of the connection's window must come back. Keeps to the windows of the server.
 */
final class ResetUploads {
  /** One full frame, and a window that every server must give. */
  private static final int CONTENT = 16 << 10;

  /** Fewer than may be reset at once. */
  private static final int UPLOADS = 600;

  /** Handlers of streams that were reset count as open for 2.5 s. */
  private static final int AT_ONCE = 40;

  private final Assault assault;
  private final Socket socket;
  private final DataInputStream in;
  private long window = 65_535;
  private int stream = -1;
  private int reset;
  private int refused;
  private int status;
  private int ended;

  ResetUploads(Assault assault) throws Exception {
    this.assault = assault;
    this.socket = assault.socket(null);
    this.in = new DataInputStream(socket.getInputStream());
  }

  void run() throws IOException {
    socket.setSoTimeout(4_000);
    assault.send(socket, Http2Bytes.preface());
    try {
      while (assault.goesOn() && reset < UPLOADS) {
        upload(reset % AT_ONCE == 0 ? TortureServer.UNREAD : "/slow");
        assault.send(socket, Http2Bytes.reset(stream));
        reset++;
      }
    } catch (IOException e) {
      assault.fail("after " + reset + " uploads were reset, its window was " + window + ": " + e);
      return;
    }
    assault.note(reset + " uploads were reset");
    checkUpload();
  }

  /** Handlers that are still busy may be a reason to refuse another, for as long as they are. */
  private void checkUpload() throws IOException {
    for (int i = 0; i < 40; i++) {
      int refusedBefore = refused;
      upload("/echo");
      assault.send(socket, Http2Bytes.frame(Http2Bytes.DATA, Http2Bytes.END_STREAM, stream));
      while (ended != stream && refused == refusedBefore) {
        readFrame();
      }
      if (ended == stream && status == 200) {
        return;
      }
      sleep();
    }
    assault.fail("an upload after " + reset + " that were reset ended with " + status);
  }

  private static void sleep() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void upload(String path) throws IOException {
    stream += 2;
    assault.send(socket, Http2Bytes.post(stream, path));
    while (window < CONTENT || in.available() > 0) {
      readFrame();
    }
    assault.send(socket, Http2Bytes.data(stream, CONTENT));
    window -= CONTENT;
  }

  private void readFrame() throws IOException {
    int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int of = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    switch (type) {
      case Http2Bytes.WINDOW_UPDATE -> window += of == 0 ? increment(payload) : 0;
      // 8 and 13 of the static table (RFC 7541 appendix A), which every encoder of this field uses.
      case Http2Bytes.HEADERS -> status = of == stream && payload[0] == (byte) 0x88 ? 200 : 0;
      case Http2Bytes.RST_STREAM -> refused += of == stream ? 1 : 0;
      case Http2Bytes.GOAWAY -> throw new IOException("GOAWAY " + Arrays.toString(payload));
      default -> {
        // Settings and pings are not the matter here.
      }
    }
    if (of == stream && type <= Http2Bytes.HEADERS && (flags & Http2Bytes.END_STREAM) > 0) {
      ended = stream;
    }
  }

  private static long increment(byte[] payload) {
    return (payload[0] & 0x7FL) << 24
        | (payload[1] & 0xFFL) << 16
        | (payload[2] & 0xFFL) << 8
        | payload[3] & 0xFFL;
  }
}
