package heddle.bench.server;

import heddle.bench.server.ServerSpec.Program;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Servers in C, each on one thread, if they are installed. They serve {@code /hello} and {@code
 * /bytes/N} for a few N, and do not count requests.
 */
enum NativeServer {
  /**
   * nghttpd of nghttp2, HTTP/2 only. It answers so fast, and combines such a number of answers in
   * one write, that the client is what is measured. It reads posted content and discards it.
   */
  NGHTTPD(Program.NGHTTPD, "--version") {
    @Override
    List<String> command(Site site) {
      List<String> command = new ArrayList<>(List.of("nghttpd", "--address=127.0.0.1"));
      command.add("--htdocs=" + site.content());
      // Windows are powers of two; with 1 MiB, content of that size does not wait for credit.
      command.add("--window-bits=20");
      command.add("--connection-window-bits=24");
      Certificates.Pair pair = site.pair();
      if (pair == null) {
        command.add("--no-tls");
      }
      command.add(String.valueOf(site.port()));
      if (pair != null) {
        command.add(pair.key().toString());
        command.add(pair.certificate().toString());
      }
      return command;
    }
  },

  /** nginx. {@code /hello} is a fixed answer in its configuration, the rest are files. */
  NGINX(Program.NGINX, "-v") {
    @Override
    List<String> command(Site site) throws IOException {
      Path file = site.file(
          "nginx.conf",
          """
          daemon off;
          master_process off;
          pid %1$s/nginx.pid;
          events { worker_connections 18000; multi_accept on; }
          http {
            access_log off;
            default_type application/octet-stream;
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000000;
            keepalive_timeout 1h;
            open_file_cache max=100;
            client_body_temp_path %1$s/bodies;
            proxy_temp_path %1$s/proxy;
            fastcgi_temp_path %1$s/fastcgi;
            uwsgi_temp_path %1$s/uwsgi;
            scgi_temp_path %1$s/scgi;
            http2_max_concurrent_streams 1000;
            server {
              listen 127.0.0.1:%2$d backlog=4096 %3$s;
              %4$s
              location = /hello { return 200 "Hello!"; }
              location / { root %5$s; }
            }
          }
          """
              .formatted(
                  site.folder(),
                  site.port(),
                  site.overTls("ssl http2"),
                  site.overTls("ssl_certificate %s; ssl_certificate_key %s;"),
                  site.content()));
      return List.of("nginx", "-c", file.toString(), "-e", site.folder() + "/nginx.log");
    }
  },

  /** h2o. All its answers are files, which it keeps open. */
  H2O(Program.H2O, "--version") {
    @Override
    List<String> command(Site site) throws IOException {
      // By default, h2o run by root switches to an account that has no access to the files.
      String user = System.getProperty("user.name", "");
      Path file = site.file(
          "h2o.yaml",
          """
          %1$s
          num-threads: 1
          max-connections: 18000
          http1-request-timeout: 3600
          http2-idle-timeout: 3600
          listen:
            host: 127.0.0.1
            port: %2$d
            %3$s
          hosts:
            default:
              paths:
                /:
                  file.dir: %4$s
          """
              .formatted(
                  user.equals("root") ? "user: root" : "",
                  site.port(),
                  site.overTls("ssl: {certificate-file: %s, key-file: %s}"),
                  site.content()));
      return List.of("h2o", "-c", file.toString());
    }
  };

  private static final int TRIES = 3;
  private static final long START_MILLIS = 5_000;
  private static final long VERSION_MILLIS = 5_000;
  private static final int MIB = 1 << 20;

  private final Program program;
  private final String versionOption;

  NativeServer(Program program, String versionOption) {
    this.program = program;
    this.versionOption = versionOption;
  }

  /**
   * What a server serves, and where.
   *
   * @param pair its key and certificate; null for cleartext
   */
  record Site(int port, Path content, Path folder, Certificates.@Nullable Pair pair) {

    /** A part of a configuration for TLS, with certificate and key; empty in cleartext. */
    String overTls(String format) {
      return pair == null ? "" : format.formatted(pair.certificate(), pair.key());
    }

    Path file(String name, String text) throws IOException {
      return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }
  }

  /** The server of this program; empty if the program is a JVM. */
  static Optional<NativeServer> of(Program program) {
    return Arrays.stream(values()).filter(each -> each.program == program).findFirst();
  }

  /** The command that starts it. */
  abstract List<String> command(Site site) throws IOException;

  private String program() {
    return program.label();
  }

  boolean isInstalled() {
    return Executables.find(program()).isPresent();
  }

  /** Throws {@link IOException} if it is not installed. */
  void require() throws IOException {
    if (!isInstalled()) {
      throw new IOException(
          program() + " is not installed: there is no program " + program() + " on the PATH");
    }
  }

  /** Such as {@code nghttpd nghttp2/1.52.0}. */
  String version() throws IOException, InterruptedException {
    ProcessOutput said =
        ProcessOutput.of(List.of(program(), versionOption), VERSION_MILLIS, () -> {});
    // nginx writes it to standard error, as "nginx version: nginx/1.22.1".
    String line = (said.output() + said.errors()).lines().findFirst().orElse(program());
    return line.substring(line.indexOf(':') + 1).strip();
  }

  /** It cannot choose a free port itself, so ports that were free a moment ago are tried. */
  ServerProcess start(boolean tls, List<Integer> cores, Path folder)
      throws IOException, InterruptedException {
    String errors = "";
    for (int i = 0; i < TRIES; i++) {
      Path own = Files.createTempDirectory(folder, program());
      Certificates.Pair pair = tls ? Certificates.selfSigned(own) : null;
      Site site = new Site(freePort(), content(folder), own, pair);
      Path log = own.resolve("output.log");
      Process process = Children.start(new ProcessBuilder(Cores.pin(cores, Leash.of(command(site))))
          .redirectErrorStream(true)
          .redirectOutput(log.toFile()));
      if (isListening(process, site.port())) {
        return new ServerProcess(
            process, URI.create((tls ? "https" : "http") + "://127.0.0.1:" + site.port()));
      }
      errors = ProcessOutput.tail(log);
      Children.kill(process);
    }
    throw new IOException(program() + " does not start: " + errors);
  }

  /** Creates files for the routes of experiments. */
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
