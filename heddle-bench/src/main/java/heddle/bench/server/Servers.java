package heddle.bench.server;

import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.process.Cores;
import heddle.bench.server.ServerSpec.Program;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers of a race, each started when it is first asked for, in a process of its own. Those
 * that differ in the protocol alone are one. Used by one thread.
 */
public final class Servers implements AutoCloseable {

  /** The longest answer that every server has, below {@code /bytes/}: above clients' windows. */
  public static final int LARGE_BYTES = 64 << 20;

  private final List<String> plainCommand;
  private final List<String> tlsCommand;
  private final boolean nghttpd;
  private final List<Integer> cores;
  private final Path folder;
  private final SearchNode search;
  private final Map<Key, Running> running = new LinkedHashMap<>();

  /** What tells two servers apart. */
  private record Key(Program program, boolean tls, String threads, int copies) {

    static Key of(ServerSpec spec) {
      return new Key(spec.program(), spec.tls(), spec.threads(), spec.copies());
    }

    String scheme() {
      return tls ? "https" : "http";
    }

    String fileName() {
      return program.label() + (tls ? "-tls-" : "-") + threads.replace(':', '-') + "-" + copies;
    }
  }

  private record Running(List<ServerProcess> processes, Endpoint endpoint) {

    void close() {
      processes.forEach(ServerProcess::close);
    }
  }

  /** What a server knows of the requests that it has had. */
  public enum Counting {
    /** Nothing: a program in C does not count. */
    NOTHING,
    /** All that it tells by itself, see {@link heddle.bench.routes.Counted}. */
    REQUESTS,
    /** How many documents it holds: one for each request. */
    DOCUMENTS
  }

  /**
   * Where a client finds its server.
   *
   * @param bases the URIs without a path, one for each copy
   * @param trust which certificates to take
   * @param server what answers there, such as {@code nghttpd nghttp2/1.52.0}
   * @param counting what it knows of its requests
   */
  public record Endpoint(List<URI> bases, Trust trust, String server, Counting counting) {

    /** Keeps a copy of the list. */
    public Endpoint {
      bases = List.copyOf(bases);
    }

    /** A single copy. */
    public Endpoint(URI base, Trust trust, String server) {
      this(
          List.of(base),
          trust,
          server,
          server.startsWith(Nghttpd.NAME) ? Counting.NOTHING : Counting.REQUESTS);
    }

    /** The URI of the first copy, without a path. */
    public URI base() {
      return bases.getFirst();
    }

    /** Whether it counts its requests in any way. */
    public boolean isCounting() {
      return counting != Counting.NOTHING;
    }
  }

  /**
   * Servers that have not started, where something stands in for a search engine.
   *
   * @param plainCommand starts Heddle's server in cleartext; further options may follow it. Empty
   *     where there is none, and so nothing that could stand in for a search engine
   * @param tlsCommand starts it over TLS
   * @param http2 which server answers over HTTP/2 where nobody says
   * @param cores to pin them to; empty for none
   * @param folder a folder of their own, for content, keys and indices
   * @throws IOException when nghttpd is asked for by name and not installed
   */
  public Servers(
      List<String> plainCommand,
      List<String> tlsCommand,
      Http2Server http2,
      List<Integer> cores,
      Path folder)
      throws IOException {
    this(plainCommand, tlsCommand, http2, cores, folder, SearchNode.none());
  }

  /**
   * The same with a search engine.
   *
   * @param search where that comes from
   */
  public Servers(
      List<String> plainCommand,
      List<String> tlsCommand,
      Http2Server http2,
      List<Integer> cores,
      Path folder,
      SearchNode search)
      throws IOException {
    if (http2 == Http2Server.NGHTTPD) {
      requireNghttpd();
    }
    this.plainCommand = List.copyOf(plainCommand);
    this.tlsCommand = List.copyOf(tlsCommand);
    this.nghttpd = http2 != Http2Server.HEDDLE && Nghttpd.isInstalled();
    this.cores = List.copyOf(cores);
    this.folder = folder;
    this.search = search;
  }

  private static void requireNghttpd() throws IOException {
    if (!Nghttpd.isInstalled()) {
      throw new IOException("nghttpd is not installed: there is no program nghttpd on the PATH");
    }
  }

  /**
   * The server for such a load: nghttpd for one over HTTP/2 where that is installed and wanted,
   * otherwise Heddle's.
   *
   * @throws IOException when it does not start
   */
  public Endpoint endpoint(Protocol protocol, boolean tls)
      throws IOException, InterruptedException {
    boolean native2 = nghttpd && protocol == Protocol.HTTP_2;
    return endpoint(ServerSpec.of(native2 ? Program.NGHTTPD : Program.HEDDLE, protocol, tls));
  }

  /**
   * This server.
   *
   * @throws IOException when it does not start
   */
  public Endpoint endpoint(ServerSpec spec) throws IOException, InterruptedException {
    Key key = Key.of(spec);
    Running found = running.get(key);
    if (found == null) {
      found = start(key);
      running.put(key, found);
    }
    return found.endpoint();
  }

  /** Ends this server, if it runs: the next that is asked for starts anew. */
  public void close(ServerSpec spec) {
    Running found = running.remove(Key.of(spec));
    if (found != null) {
      found.close();
    }
  }

  private Running start(Key key) throws IOException, InterruptedException {
    return switch (key.program()) {
      case HEDDLE -> serve(key, "heddle serve", List.of());
      case JDK -> serve(key, "the JDK's server", List.of("--program", "jdk"));
      case SEARCH -> search(key);
      case NGHTTPD -> {
        requireNghttpd();
        ServerProcess process = Nghttpd.start(key.tls(), cores, folder);
        yield running(key, List.of(process), Nghttpd.version(), Counting.NOTHING);
      }
    };
  }

  private Running serve(Key key, String name, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(key.tls() ? tlsCommand : plainCommand);
    command.addAll(options);
    String label = name;
    if (!key.threads().equals(ServerSpec.VIRTUAL)) {
      command.addAll(List.of("--threads", key.threads()));
      label += " --threads " + key.threads();
    }
    List<ServerProcess> processes = new ArrayList<>();
    boolean isDone = false;
    try {
      for (int i = 0; i < key.copies(); i++) {
        processes.add(ServerProcess.start(Cores.pin(cores, command), key.scheme()));
      }
      isDone = true;
    } finally {
      if (!isDone) {
        processes.forEach(ServerProcess::close);
      }
    }
    return running(key, processes, label, Counting.REQUESTS);
  }

  private Running search(Key key) throws IOException, InterruptedException {
    List<String> command = search.command();
    if (command != null) {
      List<String> whole = new ArrayList<>(command);
      whole.add(Files.createTempDirectory(folder, "search").toString());
      try {
        ServerProcess process =
            ServerProcess.start(Cores.pin(cores, whole), key.scheme(), SearchNode.PATIENCE);
        return running(key, List.of(process), search.version(), Counting.DOCUMENTS);
      } catch (IOException e) {
        search.doesNotStart(e);
      }
    }
    if (plainCommand.isEmpty()) {
      throw new IOException("there is no search engine: " + search.absence());
    }
    return serve(
        key,
        "a stand-in for OpenSearch (" + search.absence() + ")",
        List.of("--program", "search"));
  }

  private Running running(Key key, List<ServerProcess> processes, String server, Counting counting)
      throws IOException, InterruptedException {
    boolean isDone = false;
    try {
      List<URI> bases = processes.stream().map(ServerProcess::uri).toList();
      Trust trust = key.tls() ? trust(key, bases) : new Trust.Default();
      isDone = true;
      return new Running(List.copyOf(processes), new Endpoint(bases, trust, server, counting));
    } finally {
      if (!isDone) {
        processes.forEach(ServerProcess::close);
      }
    }
  }

  /** The certificates of all copies, one after the other. */
  private Trust trust(Key key, List<URI> bases) throws IOException {
    StringBuilder all = new StringBuilder();
    Path file = folder.resolve(key.fileName() + "-certificate.pem");
    for (URI each : bases) {
      all.append(Files.readString(Certificates.presentedBy(each, file)));
    }
    return new Trust.Pem(Files.writeString(file, all, StandardCharsets.US_ASCII));
  }

  /** Whether every server that was started still runs. */
  public boolean areAlive() {
    return running.values().stream()
        .flatMap(each -> each.processes().stream())
        .allMatch(ServerProcess::isAlive);
  }

  @Override
  public void close() {
    running.values().forEach(Running::close);
    running.clear();
  }
}
