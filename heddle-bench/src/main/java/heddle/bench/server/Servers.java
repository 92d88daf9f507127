package heddle.bench.server;

import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.server.ServerSpec.Program;
import heddle.load.cluster.process.Cores;
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
 * The servers of a race, each started in its own process when it is first needed. Servers that
 * differ only in the protocol are the same. Used by one thread.
 */
public final class Servers implements AutoCloseable {

  /**
   * The length of the longest answer of each server below {@code /bytes/}; larger than the clients'
   * windows.
   */
  public static final int LARGE_BYTES = 64 << 20;

  private final List<String> plainCommand;
  private final List<String> tlsCommand;
  private final boolean nghttpd;
  private final List<Integer> cores;
  private final Path folder;
  private final SearchNode search;
  private final Map<Key, Running> running = new LinkedHashMap<>();

  /** What distinguishes two servers. */
  private record Key(Program program, boolean tls, String threads, Profile profile, int copies) {

    static Key of(ServerSpec spec) {
      return new Key(spec.program(), spec.tls(), spec.threads(), spec.profile(), spec.copies());
    }

    String scheme() {
      return tls ? "https" : "http";
    }

    String fileName() {
      return String.join(
          "-",
          program.label(),
          tls ? "tls" : "plain",
          threads.replace(':', '-'),
          profile.label(),
          String.valueOf(copies));
    }
  }

  private record Running(List<ServerProcess> processes, Endpoint endpoint) {

    void close() {
      processes.forEach(ServerProcess::close);
    }
  }

  /** What a server counts. */
  public enum Counting {
    /** Nothing, and its process is not known either. */
    NOTHING,
    /** Nothing: a program in C, whose CPU time the operating system counts. */
    CPU_TIME,
    /** Its requests and its cost, see {@link heddle.bench.routes.Counted}. */
    REQUESTS,
    /** Its documents: one per request. */
    DOCUMENTS
  }

  /**
   * The address of a server.
   *
   * @param bases the URIs without a path, one for each copy
   * @param trust which certificates to accept
   * @param server the name of the server, such as {@code nghttpd nghttp2/1.52.0}
   * @param counting what the server counts
   * @param processes the processes that it runs in
   */
  public record Endpoint(
      List<URI> bases,
      Trust trust,
      String server,
      Counting counting,
      List<ProcessHandle> processes) {

    /** Copies the lists. */
    public Endpoint {
      bases = List.copyOf(bases);
      processes = List.copyOf(processes);
    }

    /** Creates an endpoint whose processes are not known. */
    public Endpoint(List<URI> bases, Trust trust, String server, Counting counting) {
      this(bases, trust, server, counting, List.of());
    }

    /** The URI of the first copy, without a path. */
    public URI base() {
      return bases.getFirst();
    }
  }

  /**
   * Creates servers that have not started.
   *
   * @param plainCommand starts Heddle's server in cleartext; further options may follow it. Empty
   *     if there is none, and then there is no stand-in for a search engine
   * @param tlsCommand starts it over TLS
   * @param http2 the default server for HTTP/2
   * @param cores to pin them to; empty for none
   * @param folder a folder for their content, keys and indices
   * @param search the provider of the search engine
   * @throws IOException if nghttpd is requested but not installed
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
      NativeServer.NGHTTPD.require();
    }
    this.plainCommand = List.copyOf(plainCommand);
    this.tlsCommand = List.copyOf(tlsCommand);
    this.nghttpd = http2 != Http2Server.HEDDLE && NativeServer.NGHTTPD.isInstalled();
    this.cores = List.copyOf(cores);
    this.folder = folder;
    this.search = search;
  }

  /** Whether a program can be started: those in C must be installed. */
  public static boolean isInstalled(Program program) {
    return NativeServer.of(program).map(NativeServer::isInstalled).orElse(true);
  }

  /**
   * The default server for a load: nghttpd over HTTP/2 if it is installed and allowed, otherwise
   * Heddle's.
   *
   * @throws IOException if it does not start
   */
  public Endpoint endpoint(Protocol protocol, boolean tls)
      throws IOException, InterruptedException {
    boolean native2 = nghttpd && protocol == Protocol.HTTP_2;
    return endpoint(ServerSpec.of(native2 ? Program.NGHTTPD : Program.HEDDLE, protocol, tls));
  }

  /**
   * The server with this specification, which is started if necessary.
   *
   * @throws IOException if it does not start
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

  /** Ends this server if it runs; the next call for it starts a new one. */
  public void close(ServerSpec spec) {
    Running found = running.remove(Key.of(spec));
    if (found != null) {
      found.close();
    }
  }

  private Running start(Key key) throws IOException, InterruptedException {
    return switch (key.program()) {
      case HEDDLE -> serve(key, "heddle serve", List.of());
      case JDK -> rival(key, "the JDK's server");
      case ROBAHO, JETTY, TOMCAT, HELIDON, UNDERTOW, NETTY ->
        rival(key, key.program().label());
      case SEARCH -> search(key);
      case NGHTTPD, NGINX, H2O -> installed(key, NativeServer.of(key.program()).orElseThrow());
    };
  }

  private Running installed(Key key, NativeServer server) throws IOException, InterruptedException {
    server.require();
    String version = server.version();
    ServerProcess process = server.start(key.tls(), cores, folder);
    return running(key, List.of(process), version, Counting.CPU_TIME);
  }

  private Running rival(Key key, String name) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(List.of("--program", key.program().label()));
    String label = name;
    if (key.profile() == Profile.DEFAULTS) {
      options.add("--defaults");
      label += " with its defaults";
    }
    return serve(key, label, options);
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
        processes.add(
            ServerProcess.start(Cores.pin(cores, command), key.scheme(), ServerProcess.PATIENCE));
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
      List<ProcessHandle> handles =
          processes.stream().map(ServerProcess::handle).toList();
      return new Running(
          List.copyOf(processes), new Endpoint(bases, trust, server, counting, handles));
    } finally {
      if (!isDone) {
        processes.forEach(ServerProcess::close);
      }
    }
  }

  /** The certificates of all copies in one file. */
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
