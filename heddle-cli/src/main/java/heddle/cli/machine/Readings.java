package heddle.cli.machine;

import com.sun.management.UnixOperatingSystemMXBean;
import heddle.bench.machine.Moment;
import heddle.bench.result.Figure;
import heddle.load.cluster.process.Executables;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Values of this machine and this process; null if the platform does not provide them.
 *
 * @param javaFeature the version of Java, such as 25
 * @param heapBytes the largest size of the heap
 * @param cores the number of cores that this process may use
 * @param openFiles descriptors that this process has open
 * @param mostOpenFiles the limit of those; a JVM raises its soft limit to the hard one
 * @param shellOpenFiles the soft limit of the process that started this one, such as the shell
 * @param firstPort the lowest port that the system chooses for a connection
 * @param lastPort the highest one
 * @param somaxconn the most connections that wait until a server accepts them
 * @param synBacklog the most connections that wait for the end of their handshake
 * @param timeWaitReuse when a port is used again within a minute: 0 never, 1 always, 2 on loopback
 * @param keepAliveSeconds the time after which the system probes a silent connection
 * @param load how many threads ran or waited for a core in the last minute, on average; below 0 if
 *     unknown
 * @param steal the share of the cores' time that the hypervisor gave to others just now
 * @param tools programs in C that are installed, of {@link #TOOLS}
 */
public record Readings(
    int javaFeature,
    long heapBytes,
    int cores,
    @Nullable Long openFiles,
    @Nullable Long mostOpenFiles,
    @Nullable Long shellOpenFiles,
    @Nullable Integer firstPort,
    @Nullable Integer lastPort,
    @Nullable Integer somaxconn,
    @Nullable Integer synBacklog,
    @Nullable Integer timeWaitReuse,
    @Nullable Integer keepAliveSeconds,
    double load,
    @Nullable Double steal,
    Set<String> tools) {

  /** Programs that a race uses if they are installed. */
  public static final List<String> TOOLS = List.of("wrk", "h2load", "nghttpd");

  private static final Path NET = Path.of("/proc/sys/net");
  private static final String LIMIT = "Max open files";
  private static final long SAMPLE_MILLIS = 500;

  /** The present values. */
  public static Readings now() throws IOException {
    return read(null);
  }

  /** The present values, after half a second in which the use of the cores is measured. */
  public static Readings watched() throws IOException, InterruptedException {
    Moment before = Moment.now(List.of());
    Thread.sleep(SAMPLE_MILLIS);
    return read(Moment.now(List.of()).since(before));
  }

  private static Readings read(@Nullable Map<Figure, Double> shares) throws IOException {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    boolean isUnix = system instanceof UnixOperatingSystemMXBean;
    String[] ports = words(NET.resolve("ipv4/ip_local_port_range"));
    Set<String> tools = new TreeSet<>();
    TOOLS.stream().filter(tool -> Executables.find(tool).isPresent()).forEach(tools::add);
    return new Readings(
        Runtime.version().feature(),
        Runtime.getRuntime().maxMemory(),
        system.getAvailableProcessors(),
        isUnix ? ((UnixOperatingSystemMXBean) system).getOpenFileDescriptorCount() : null,
        isUnix ? ((UnixOperatingSystemMXBean) system).getMaxFileDescriptorCount() : null,
        parentLimit(),
        ports.length == 2 ? Integer.valueOf(ports[0]) : null,
        ports.length == 2 ? Integer.valueOf(ports[1]) : null,
        number("core/somaxconn"),
        number("ipv4/tcp_max_syn_backlog"),
        number("ipv4/tcp_tw_reuse"),
        number("ipv4/tcp_keepalive_time"),
        system.getSystemLoadAverage(),
        shares == null ? null : shares.get(Figure.STEAL),
        tools);
  }

  /** The most connections from one local address to one address and port. */
  @Nullable
  Integer ports() {
    return firstPort == null || lastPort == null ? null : lastPort - firstPort + 1;
  }

  private static @Nullable Long parentLimit() throws IOException {
    ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
    Path limits = parent == null ? null : Path.of("/proc/" + parent.pid() + "/limits");
    if (limits == null || !Files.isReadable(limits)) {
      return null;
    }
    String line = Files.readString(limits, StandardCharsets.US_ASCII)
        .lines()
        .filter(each -> each.startsWith(LIMIT))
        .findFirst()
        .orElse("");
    String[] words = line.replace(LIMIT, "").strip().split("\\s+", -1);
    return words[0].matches("\\d{1,18}") ? Long.valueOf(words[0]) : null;
  }

  private static @Nullable Integer number(String file) throws IOException {
    String[] words = words(NET.resolve(file));
    return words.length == 1 ? Integer.valueOf(words[0]) : null;
  }

  /** Empty if there is no such file. */
  private static String[] words(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      return new String[0];
    }
    // In one read: after the first one the kernel reports the end of such a file.
    byte[] content = new byte[256];
    try (InputStream in = Files.newInputStream(file)) {
      int length = Math.max(0, in.read(content));
      return new String(content, 0, length, StandardCharsets.US_ASCII).strip().split("\\s+", -1);
    }
  }
}
