package heddle.verify.torture;

import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.transport.tls.TlsOptions;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

  /** How long a neighbour keeps what it takes. */
  static final Duration TAKEN = Duration.ofSeconds(2);

  private static final long LARGE = 64L << 20;
  private static final Duration SLOW = Duration.ofMillis(300);
  static final Duration CLOSE = Duration.ofSeconds(3);

  private final HttpServer server;

  private TortureServer(HttpServer server) {
    this.server = server;
  }

  /** Takes {@code connections=N}, {@code tls=KEYSTORE} and {@code hook}, all optional. */
  public static void main(String[] args) throws Exception {
    HttpServer.Builder builder =
        HttpServer.builder().handler(TortureServer::answer).closeTimeout(CLOSE);
    boolean hook = false;
    for (String arg : args) {
      String value = arg.substring(arg.indexOf('=') + 1);
      switch (arg.substring(0, arg.length() - value.length())) {
        case "connections=" -> builder.maxConnections(Integer.parseInt(value));
        case "tls=" -> builder.tls(identity(Path.of(value)));
        default -> hook |= value.equals(HOOK);
      }
    }
    HttpServer server = builder.start();
    if (hook) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
    new TortureServer(server).obey();
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
        Thread.sleep(SLOW);
        yield Response.ok("ok");
      }
      case SLOWER -> {
        Thread.sleep(SLOW.multipliedBy(5));
        yield Response.ok("ok");
      }
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
        // There is no memory to report it: the process that waits for an answer gets none.
      }
    }
  }

  private String obey(String line) throws IOException {
    return switch (line) {
      case "fill" -> Neighbour.fillHeap();
      case "sockets" -> Neighbour.useUpDescriptors();
      default -> status();
    };
  }

  private String status() {
    System.gc();
    return "status %d %d %d".formatted(liveBytes(), server.connections(), server.active());
  }

  /** What the last collection has left, without what was allocated since. */
  private static long liveBytes() {
    long live = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        live += pool.getCollectionUsage().getUsed();
      }
    }
    return live;
  }

  /** Code in the same process that takes what there is, for a while. */
  private static final class Neighbour {
    private Neighbour() {}

    static String fillHeap() {
      var taken = new ArrayList<byte[]>(100_000);
      for (int size = 1 << 20; size >= 1 << 10; size /= 4) {
        try {
          while (true) {
            taken.add(new byte[size]);
          }
        } catch (OutOfMemoryError e) {
          // As much is taken as there is in pieces of this size.
        }
      }
      sleep();
      int pieces = taken.size();
      taken.clear();
      return "released " + pieces;
    }

    static String useUpDescriptors() throws IOException {
      List<InputStream> files = new ArrayList<>(10_000);
      try {
        while (true) {
          files.add(new FileInputStream("/dev/null"));
        }
      } catch (IOException e) {
        sleep();
        for (InputStream file : files) {
          file.close();
        }
        return "released " + files.size();
      }
    }

    private static void sleep() {
      try {
        Thread.sleep(TAKEN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Zeros, made when they are read. */
  private static final class Zeros extends InputStream {
    private long left;

    Zeros(long length) {
      left = length;
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
