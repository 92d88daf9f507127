package heddle.bench.server;

import heddle.load.cluster.process.Children;
import heddle.load.cluster.process.Cores;
import heddle.load.cluster.process.Executables;
import heddle.load.cluster.process.Leash;
import heddle.load.cluster.process.ProcessOutput;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * nghttpd, an HTTP/2 server in C. It answers so fast, and combines such a number of answers in one
 * write, that the client is what is measured.
 */
final class Nghttpd {

  static final String NAME = "nghttpd";

  private static final int TRIES = 3;
  private static final long START_MILLIS = 5_000;
  private static final long VERSION_MILLIS = 5_000;
  private static final int MIB = 1 << 20;

  private Nghttpd() {}

  static boolean isInstalled() {
    return Executables.find(NAME).isPresent();
  }

  /** Such as {@code nghttpd nghttp2/1.52.0}. */
  static String version() throws IOException, InterruptedException {
    return ProcessOutput.of(List.of(NAME, "--version"), VERSION_MILLIS, () -> {})
        .output()
        .strip();
  }

  /** It cannot choose a free port itself, so ports that were free a moment ago are tried. */
  static ServerProcess start(boolean tls, List<Integer> cores, Path folder)
      throws IOException, InterruptedException {
    String errors = "";
    for (int i = 0; i < TRIES; i++) {
      int port = freePort();
      Path log = folder.resolve(NAME + "-" + port + ".log");
      Process process =
          Children.start(new ProcessBuilder(Cores.pin(cores, Leash.of(command(tls, port, folder))))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile()));
      if (isListening(process, port)) {
        return ServerProcess.of(
            process, URI.create((tls ? "https" : "http") + "://127.0.0.1:" + port));
      }
      errors = ProcessOutput.tail(log);
      Children.kill(process);
    }
    throw new IOException("nghttpd does not start: " + errors);
  }

  private static List<String> command(boolean tls, int port, Path folder)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(NAME, "--address=127.0.0.1"));
    command.add("--htdocs=" + content(folder));
    // Windows are powers of two; with 1 MiB, content of that size does not wait for credit.
    command.add("--window-bits=20");
    command.add("--connection-window-bits=24");
    if (!tls) {
      command.add("--no-tls");
    }
    command.add(String.valueOf(port));
    if (tls) {
      Certificates.Pair pair = Certificates.selfSigned(Files.createTempDirectory(folder, "key"));
      command.add(pair.key().toString());
      command.add(pair.certificate().toString());
    }
    return command;
  }

  /** Creates files for the routes of experiments. nghttpd reads posted content and discards it. */
  private static Path content(Path folder) throws IOException {
    Path root = folder.resolve("content");
    Files.createDirectories(root.resolve("bytes"));
    Files.writeString(root.resolve("hello"), "Hello!", StandardCharsets.US_ASCII);
    Files.writeString(root.resolve("sink"), "", StandardCharsets.US_ASCII);
    Files.write(root.resolve("bytes").resolve(String.valueOf(MIB)), new byte[MIB]);
    // A sparse file takes no space.
    Path large = root.resolve("bytes").resolve(String.valueOf(Servers.LARGE_BYTES));
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(Servers.LARGE_BYTES);
    }
    return root;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean isListening(Process process, int port) throws InterruptedException {
    long deadline = System.nanoTime() + START_MILLIS * 1_000_000;
    while (process.isAlive() && System.nanoTime() < deadline) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return true;
      } catch (IOException e) {
        // Not listening yet; the loop checks whether the process still runs.
        Thread.sleep(20);
      }
    }
    return false;
  }
}
