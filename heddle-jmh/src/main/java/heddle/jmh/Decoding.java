package heddle.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.sun.management.OperatingSystemMXBean;
import heddle.brotli.BrotliCoding;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.zstd.ZstdCoding;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Prints how fast 1 GiB is downloaded and decoded, as a share of the speed at which the library of
 * the coding alone decodes the same file, which the system has cached. Content without a coding is
 * compared with a download over a plain socket. The client runs in a JVM with a heap of 64 MiB, the
 * server in another one. Rounds with and without Heddle alternate.
 *
 * <p>Argument: the number of rounds (default 5), in addition to a warm-up for each coding.
 */
public final class Decoding {
  private static final String IDENTITY = "identity";
  private static final List<String> CODINGS = List.of(IDENTITY, "gzip", "br", "zstd");
  private static final long LENGTH = 1L << 30;
  private static final int PIECE = 64 << 10;
  private static final int GOAL_PERCENT = 90;

  /** Of one round. */
  private record Speed(double megabytesPerSecond, double cpuSeconds) {}

  /** What reads the decoded content of one round. */
  private interface Source {
    InputStream open() throws IOException;
  }

  private Decoding() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 2) {
      measure(Path.of(args[0]), Integer.parseInt(args[1]));
      System.exit(0);
    }
    int rounds;
    try {
      rounds = Arguments.number(args, 0, 5, 100, "[ROUNDS]");
    } catch (IllegalArgumentException e) {
      System.err.println("decode: " + e.getMessage());
      System.exit(2);
      return;
    }
    Path folder = Files.createTempDirectory("heddle-decoding");
    try {
      for (String coding : CODINGS) {
        write(coding, folder.resolve(coding));
      }
      Process client = ServerProcess.java(
          List.of("-Xmx64m", "--enable-native-access=ALL-UNNAMED"),
          Decoding.class,
          folder.toString(),
          Integer.toString(rounds));
      client.inputReader().lines().forEach(System.out::println);
      System.exit(client.waitFor());
    } finally {
      for (String coding : CODINGS) {
        Files.deleteIfExists(folder.resolve(coding));
      }
      Files.delete(folder);
    }
  }

  // ---- the content

  private static void write(String coding, Path file) throws IOException {
    byte[] text = text();
    try (OutputStream out = encoder(coding, Files.newOutputStream(file))) {
      for (long written = 0; written < LENGTH; written += text.length) {
        out.write(text);
      }
    }
  }

  /** 64 MiB of words in a random order, so that no coding's window holds a repetition of it. */
  private static byte[] text() {
    Random random = new Random(1);
    byte[][] words = new byte[5_000][];
    for (int i = 0; i < words.length; i++) {
      words[i] = new byte[3 + random.nextInt(8)];
      for (int j = 0; j < words[i].length; j++) {
        words[i][j] = (byte) ('a' + random.nextInt(26));
      }
      words[i][words[i].length - 1] = ' ';
    }
    byte[] text = new byte[64 << 20];
    for (int at = 0; at < text.length; ) {
      // Some words are more frequent than others.
      byte[] word = words[(int) (words.length * Math.pow(random.nextDouble(), 3))];
      int count = Math.min(word.length, text.length - at);
      System.arraycopy(word, 0, text, at, count);
      at += count;
    }
    return text;
  }

  private static OutputStream encoder(String coding, OutputStream file) throws IOException {
    return switch (coding) {
      case "gzip" -> new GZIPOutputStream(file, PIECE);
      case "br" -> new BrotliCoding().encoder(file);
      case "zstd" -> new ZstdCoding().encoder(file);
      default -> file;
    };
  }

  /** The decoded content without Heddle: from the file, or for identity from a socket. */
  private static InputStream alone(String coding, Path folder, int port) throws IOException {
    if (coding.equals(IDENTITY)) {
      return overSocket(port);
    }
    InputStream file = Files.newInputStream(folder.resolve(coding));
    return switch (coding) {
      case "gzip" -> new GZIPInputStream(file, PIECE);
      case "br" -> new BrotliInput(file);
      default -> new ZstdInputStreamNoFinalizer(file);
    };
  }

  private static InputStream overSocket(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    String head = "GET /" + IDENTITY + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    InputStream in = socket.getInputStream();
    for (int last = 0; last != 0x0D0A0D0A; ) { // until the empty line that ends the head
      last = last << 8 | in.read();
    }
    return in;
  }

  /** brotli4j's decoder by the type that Heddle uses: its own stream fails on such files. */
  private static final class BrotliInput extends InputStream {
    private final InputStream file;
    private final ContentCoding.Decoder decoder = new BrotliCoding().decoder();
    private final ByteBuffer source = ByteBuffer.allocate(PIECE).limit(0);

    BrotliInput(InputStream file) throws IOException {
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      ByteBuffer room = ByteBuffer.wrap(target, offset, count);
      try {
        while (true) {
          decoder.decode(source, room);
          if (room.position() > offset) {
            return room.position() - offset;
          }
          int more = file.read(source.array());
          source.position(0).limit(Math.max(0, more));
          if (more < 0) {
            return -1;
          }
        }
      } catch (DataFormatException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      decoder.close();
      file.close();
    }
  }

  // ---- the client

  private static void measure(Path folder, int rounds) throws Exception {
    try (ServerProcess server = ServerProcess.start(Server.class, folder.toString());
        HttpClient client = HttpClient.create()) {
      System.out.println("decoded MB/s, CPU time; each share is the median of rounds");
      for (String coding : CODINGS) {
        Request request = Request.get("http://127.0.0.1:" + server.port() + "/" + coding);
        List<Double> shares = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
          Speed alone = read(() -> alone(coding, folder, server.port()));
          Speed over = read(() -> client.send(request).body().stream());
          double share = 100 * over.megabytesPerSecond() / alone.megabytesPerSecond();
          System.out.printf(
              "%-8s alone %,6.0f MB/s %5.2f s, over Heddle %,6.0f MB/s %5.2f s, %3.0f%%%s%n",
              coding,
              alone.megabytesPerSecond(),
              alone.cpuSeconds(),
              over.megabytesPerSecond(),
              over.cpuSeconds(),
              share,
              round == 0 ? " (warm-up)" : "");
          if (round > 0) {
            shares.add(share);
          }
        }
        Collections.sort(shares);
        System.out.printf(
            "%-8s median %3.0f%% (goal %d%%)%n",
            coding, shares.get(shares.size() / 2), GOAL_PERCENT);
      }
    }
  }

  /** Reads all of a source on a virtual thread. */
  private static Speed read(Source source) throws Exception {
    FutureTask<Speed> reading = new FutureTask<>(() -> {
      long cpu = cpuNanos();
      long began = System.nanoTime();
      byte[] piece = new byte[PIECE];
      long length = 0;
      try (InputStream in = source.open()) {
        for (int count; (count = in.read(piece)) >= 0; ) {
          length += count;
        }
      }
      if (length != LENGTH) {
        throw new IOException("the content has " + length + " bytes instead of " + LENGTH);
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      return new Speed(length / 1e6 / seconds, (cpuNanos() - cpu) / 1e9);
    });
    Thread.ofVirtual().start(reading);
    try {
      return reading.get();
    } catch (ExecutionException e) {
      throw new IOException("a download has failed", e.getCause());
    }
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Serves the files by the names of their codings, in a separate process. */
  static final class Server {
    private Server() {}

    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      try (HttpServer server = HttpServer.builder()
          .handler(request -> {
            String coding = request.path().substring(1);
            Response response = Response.ok(Body.of(folder.resolve(coding)));
            return coding.equals(IDENTITY)
                ? response
                : response.toBuilder()
                    .header(HeaderName.CONTENT_ENCODING, coding)
                    .build();
          })
          .closeTimeout(Duration.ZERO)
          .start()) {
        ServerProcess.serveUntilParentEnds(server.port());
      }
    }
  }
}
