package heddle.verify.torture;

import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.transport.tls.TlsOptions;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The process under attack: a server with its default settings. It prints its port, answers each
 * line of its standard input with one line, and ends when its standard input does.
 */
public final class TortureServer {
  /** Of the certificate that the suite makes for a run. */
  static final String PASSWORD = "torture";

  /** The argument that has the process close its server when it is asked to end. */
  static final String HOOK = "hook";

  /** The path of what takes 1.5 s to be answered. */
  static final String SLOWER = "/slower";

  /** The path of what takes 2.5 s to be answered without reading the request's content. */
  static final String UNREAD = "/unread";

  /** The path of what must not be processed twice; the content is a number. */
  static final String ONCE = "/once";

  /** The path that no request asks for, except one that is hidden in another. */
  static final String SMUGGLED = "/smuggled";

  /** The line that asks for the port on which a site speaks TLS. */
  static final String SECURE_PORT = "secure port";

  private static final long LARGE = 64L << 20;
  private static final Duration UNREAD_TIME = Duration.ofMillis(1_500);
  private static final Duration SLOW = Duration.ofMillis(300);
  static final Duration CLOSE = Duration.ofSeconds(3);

  /** Made before there is too little memory to make it. */
  private static final byte[] OUT_OF_MEMORY =
      "out of memory\n".getBytes(StandardCharsets.ISO_8859_1);

  private static final ProcessedIds PROCESSED = new ProcessedIds();
  private static final AtomicLong SMUGGLED_REQUESTS = new AtomicLong();

  private final HttpServer server;
  private final @Nullable TortureSite site;

  private TortureServer(HttpServer server, @Nullable TortureSite site) {
    this.server = server;
    this.site = site;
  }

  /**
   * Takes {@code connections=N}, {@code tls=KEYSTORE}, {@code site=FOLDER} and {@code hook}, all
   * optional.
   */
  public static void main(String[] args) throws Exception {
    Sleepers.start();
    HttpServer.Builder builder =
        HttpServer.builder().handler(TortureServer::answer).closeTimeout(CLOSE);
    boolean hook = false;
    TortureSite site = null;
    for (String arg : args) {
      String value = arg.substring(arg.indexOf('=') + 1);
      switch (arg.substring(0, arg.length() - value.length())) {
        case "connections=" -> builder.maxConnections(Integer.parseInt(value));
        case "site=" ->
          site = new TortureSite(new SiteFolder(Path.of(value)), TortureServer::answer);
        case "tls=" -> builder.tls(identity(Path.of(value)));
        default -> hook |= value.equals(HOOK);
      }
    }
    HttpServer server = site == null ? builder.start() : site.start(builder);
    if (hook) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
    new TortureServer(server, site).obey();
  }

  private static TlsOptions identity(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(file.toFile())) {
      store.load(in, PASSWORD.toCharArray());
    }
    return TlsOptions.builder().identity(store, PASSWORD.toCharArray()).build();
  }

  private static Response answer(Request request) throws Exception {
    return switch (request.path()) {
      case "/echo" -> Response.ok(Integer.toString(request.body().bytes().length));
      case "/large" ->
        Response.builder(Status.OK).body(Body.of(new Zeros(LARGE), LARGE)).build();
      case "/slow" -> {
        Sleepers.sleep(SLOW);
        yield Response.ok("ok");
      }
      case SLOWER -> {
        Sleepers.sleep(SLOW.multipliedBy(5));
        yield Response.ok("ok");
      }
      case UNREAD -> {
        Sleepers.sleep(UNREAD_TIME);
        yield Response.ok("ok");
      }
      case ONCE -> {
        String id = request.body().string();
        PROCESSED.add(Integer.parseInt(id));
        yield Response.ok(id);
      }
      case SMUGGLED -> Response.ok("smuggled " + SMUGGLED_REQUESTS.incrementAndGet());
      case "/fail" -> throw new IllegalStateException("this handler fails");
      default -> Response.ok("ok");
    };
  }

  private void obey() throws IOException {
    System.out.println("port " + server.port());
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (true) {
      try {
        String line = in.readLine();
        if (line == null) {
          Runtime.getRuntime().halt(0);
          return;
        }
        System.out.println(obey(line));
      } catch (OutOfMemoryError e) {
        new FileOutputStream(FileDescriptor.out).write(OUT_OF_MEMORY);
      }
    }
  }

  private String obey(String line) throws IOException {
    return switch (line) {
      case "fill" -> Neighbour.fillHeap();
      case "sockets" -> Neighbour.useUpDescriptors();
      case "threads" -> "threads " + ProcessState.virtualThreads().size();
      case SECURE_PORT -> "port " + securePort();
      default ->
        ServerStatus.line(
            server,
            PROCESSED.repeated(),
            SMUGGLED_REQUESTS.get(),
            site == null ? 0 : site.uploads(),
            site == null ? 0 : site.encoders(),
            site == null ? 0 : site.unlogged());
    };
  }

  /** Of the second address, on which a site speaks TLS. */
  private int securePort() {
    return ((InetSocketAddress) server.addresses().get(1)).getPort();
  }

  /** Zeros, made when they are read. */
  private static final class Zeros extends InputStream {
    private long left;

    Zeros(long length) {
      left = length;
    }

    @Override
    public int available() {
      return (int) Math.min(left, Integer.MAX_VALUE);
    }

    @Override
    public int read() {
      return left-- > 0 ? 0 : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      int count = (int) Math.min(left, length);
      Arrays.fill(into, offset, offset + count, (byte) 0);
      left -= count;
      return count;
    }
  }
}
