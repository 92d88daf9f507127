package heddle.bench.server;

import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.process.Cores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers of a race, each started when it is first asked for: one in cleartext and one over
 * TLS, and where nghttpd takes the load over HTTP/2, the same again. Used by one thread.
 */
public final class Servers implements AutoCloseable {

  /** The longest answer that every server has, below {@code /bytes/}: above clients' windows. */
  public static final int LARGE_BYTES = 64 << 20;

  private final List<String> plainCommand;
  private final List<String> tlsCommand;
  private final boolean nghttpd;
  private final List<Integer> cores;
  private final Path folder;
  private final Map<String, Running> running = new LinkedHashMap<>();

  private record Running(ServerProcess process, Endpoint endpoint) {}

  /**
   * Where a client finds its server.
   *
   * @param base the URI without a path
   * @param trust which certificates to take
   * @param server what answers there, such as {@code nghttpd nghttp2/1.52.0}
   */
  public record Endpoint(URI base, Trust trust, String server) {

    /** Whether it counts its requests: a program in C does not. */
    public boolean isCounting() {
      return !server.startsWith(Nghttpd.NAME);
    }
  }

  /**
   * Servers that have not started.
   *
   * @param plainCommand starts the server in cleartext
   * @param tlsCommand starts the server over TLS
   * @param http2 which server answers over HTTP/2
   * @param cores to pin them to; empty for none
   * @param folder a folder of their own, for content and keys
   * @throws IOException when nghttpd is asked for by name and not installed
   */
  public Servers(
      List<String> plainCommand,
      List<String> tlsCommand,
      Http2Server http2,
      List<Integer> cores,
      Path folder)
      throws IOException {
    if (http2 == Http2Server.NGHTTPD && !Nghttpd.isInstalled()) {
      throw new IOException("nghttpd is not installed: there is no program nghttpd on the PATH");
    }
    this.plainCommand = List.copyOf(plainCommand);
    this.tlsCommand = List.copyOf(tlsCommand);
    this.nghttpd = http2 != Http2Server.HEDDLE && Nghttpd.isInstalled();
    this.cores = List.copyOf(cores);
    this.folder = folder;
  }

  /**
   * The server for such a load.
   *
   * @throws IOException when it does not start
   */
  public Endpoint endpoint(Protocol protocol, boolean tls)
      throws IOException, InterruptedException {
    boolean native2 = nghttpd && protocol == Protocol.HTTP_2;
    String key = (native2 ? "nghttpd" : "heddle") + (tls ? "-tls" : "");
    Running found = running.get(key);
    if (found == null) {
      ServerProcess process = start(native2, tls);
      found = new Running(process, endpoint(process, native2, tls, key));
      running.put(key, found);
    }
    return found.endpoint();
  }

  private ServerProcess start(boolean native2, boolean tls)
      throws IOException, InterruptedException {
    if (native2) {
      return Nghttpd.start(tls, cores, folder);
    }
    return ServerProcess.start(
        Cores.pin(cores, tls ? tlsCommand : plainCommand), tls ? "https" : "http");
  }

  private Endpoint endpoint(ServerProcess process, boolean native2, boolean tls, String key)
      throws IOException, InterruptedException {
    try {
      Trust trust = tls
          ? new Trust.Pem(
              Certificates.presentedBy(process.uri(), folder.resolve(key + "-certificate.pem")))
          : new Trust.Default();
      return new Endpoint(process.uri(), trust, native2 ? Nghttpd.version() : "heddle serve");
    } catch (IOException | InterruptedException e) {
      process.close();
      throw e;
    }
  }

  /** Whether every server that was started still runs. */
  public boolean areAlive() {
    return running.values().stream().allMatch(each -> each.process().isAlive());
  }

  @Override
  public void close() {
    running.values().forEach(each -> each.process().close());
  }
}
