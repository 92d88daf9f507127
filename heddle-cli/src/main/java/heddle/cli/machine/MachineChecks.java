package heddle.cli.machine;

import heddle.cli.machine.Finding.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the limits of a machine with the needs of a load or a race, or with usual values.
 *
 * @param readings the values of the machine
 */
public record MachineChecks(Readings readings) {

  private static final int LEAST_JAVA = 25;

  /** Files that a JVM opens in addition to connections: jars, selectors, reports. */
  private static final int OWN_FILES = 100;

  private static final long FEW_FILES = 4_096;
  private static final int FEW_PORTS = 10_000;

  /** The backlog that Heddle's server requests. */
  private static final int BACKLOG = 1_024;

  private static final long SMALL_HEAP = 256L << 20;
  private static final double BUSY = 0.5;
  private static final double STOLEN = 0.05;

  /**
   * Checks a need before a load or a race begins, and prints one line per warning.
   *
   * @throws IOException if it cannot succeed; the message says why and what to do
   */
  public void require(Need need, Consumer<String> warnings) throws IOException {
    for (Finding each : of(need)) {
      if (each.status() == Status.PROBLEM) {
        throw new IOException(each.line());
      }
      warnings.accept("warning: " + each.line());
    }
  }

  /** Findings that do not suffice for a need; empty if all do. */
  List<Finding> of(Need need) {
    List<Finding> findings = new ArrayList<>();
    add(findings, filesOfClient(need));
    add(findings, filesOfServer(need));
    add(findings, portsFor(need));
    if (need.isServerLocal()) {
      int burst = Math.min(BACKLOG, need.toServer());
      add(findings, queue("net.core.somaxconn", readings.somaxconn(), burst));
      add(findings, queue("net.ipv4.tcp_max_syn_backlog", readings.synBacklog(), burst));
    }
    return findings.stream().filter(each -> each.status() != Status.OK).toList();
  }

  private static void add(List<Finding> findings, @Nullable Finding finding) {
    if (finding != null) {
      findings.add(finding);
    }
  }

  private @Nullable Finding filesOfClient(Need need) {
    Long most = readings.mostOpenFiles();
    if (most == null) {
      return null;
    }
    Long open = readings.openFiles();
    long used = open == null ? 0 : open;
    String action = "ulimit -n " + round(need.ofProcess() + OWN_FILES);
    if (used + need.ofProcess() > most) {
      return new Finding(
          Status.PROBLEM,
          "open files",
          count(most),
          "the limit is too low for " + count(need.ofProcess()) + " connections and the "
              + count(used) + " files that the process has open.",
          action);
    }
    return new Finding(
        OWN_FILES + need.ofProcess() > most ? Status.WARNING : Status.OK,
        "open files",
        count(most),
        "the limit may be too low for " + count(need.ofProcess()) + " connections and some "
            + OWN_FILES + " files of the JVM.",
        action);
  }

  private @Nullable Finding filesOfServer(Need need) {
    Long most = readings.mostOpenFiles();
    if (most == null || !need.isServerLocal()) {
      return null;
    }
    return new Finding(
        OWN_FILES + need.toServer() > most ? Status.WARNING : Status.OK,
        "open files of the server",
        count(most),
        "the limit may be too low for " + count(need.toServer()) + " connections of all clients"
            + " together.",
        "ulimit -n " + round(need.toServer() + OWN_FILES));
  }

  private @Nullable Finding portsFor(Need need) {
    Integer ports = readings.ports();
    if (ports == null) {
      return null;
    }
    return new Finding(
        need.toServer() > ports ? Status.WARNING : Status.OK,
        "local ports",
        count(ports),
        "too few for " + count(need.toServer()) + " connections to one address and port.",
        widenPorts());
  }

  private static @Nullable Finding queue(String name, @Nullable Integer value, int wanted) {
    if (value == null) {
      return null;
    }
    return new Finding(
        value < wanted ? Status.WARNING : Status.OK,
        name,
        count(value),
        "connections may be lost or late when " + count(wanted) + " are opened at once.",
        "sysctl -w " + name + "=" + BACKLOG);
  }

  /** All checks, independent of a need. */
  public List<Finding> all() {
    List<Finding> findings = new ArrayList<>();
    findings.add(java());
    findings.add(heap());
    add(findings, files());
    add(findings, ports());
    add(findings, backlog("net.core.somaxconn", readings.somaxconn()));
    add(findings, backlog("net.ipv4.tcp_max_syn_backlog", readings.synBacklog()));
    add(findings, timeWait());
    add(findings, keepAlive());
    findings.add(cores());
    add(findings, load());
    add(findings, steal());
    Readings.TOOLS.forEach(tool -> findings.add(tool(tool)));
    return findings;
  }

  private Finding java() {
    boolean isOld = readings.javaFeature() < LEAST_JAVA;
    return new Finding(
        isOld ? Status.PROBLEM : Status.OK,
        "Java",
        String.valueOf(readings.javaFeature()),
        "Heddle needs Java " + LEAST_JAVA + " or newer.",
        isOld ? "install a JDK " + LEAST_JAVA + " and set JAVA_HOME to it." : "");
  }

  private Finding heap() {
    boolean isSmall = readings.heapBytes() < SMALL_HEAP;
    return new Finding(
        isSmall ? Status.WARNING : Status.OK,
        "heap",
        count(readings.heapBytes() >> 20) + " MiB",
        "The most that this command may use; workers of a race have their own heaps.",
        isSmall ? "HEDDLE_OPTS=-Xmx512m" : "");
  }

  private @Nullable Finding files() {
    Long most = readings.mostOpenFiles();
    if (most == null) {
      return null;
    }
    boolean isImpossible = most <= OWN_FILES;
    Long shell = readings.shellOpenFiles();
    return new Finding(
        isImpossible ? Status.PROBLEM : most < FEW_FILES ? Status.WARNING : Status.OK,
        "open files",
        "hard limit " + count(most)
            + (shell == null ? "" : ", soft limit of the shell " + count(shell)),
        "A JVM raises its own soft limit to the hard one: about "
            + count(Math.max(0, most - OWN_FILES)) + " connections per process.",
        most < FEW_FILES
            ? "ulimit -n 65536, as root or with nofile in /etc/security/limits.conf;"
                + " LimitNOFILE= for a service of systemd."
            : "");
  }

  private @Nullable Finding ports() {
    Integer ports = readings.ports();
    if (ports == null) {
      return null;
    }
    boolean isFew = ports < FEW_PORTS;
    return new Finding(
        isFew ? Status.WARNING : Status.OK,
        "local ports",
        readings.firstPort() + " to " + readings.lastPort(),
        count(ports) + " connections at once from one local address to one address and port.",
        isFew ? widenPorts() : "");
  }

  private static @Nullable Finding backlog(String name, @Nullable Integer value) {
    if (value == null) {
      return null;
    }
    boolean isSmall = value < BACKLOG;
    return new Finding(
        isSmall ? Status.WARNING : Status.OK,
        name,
        count(value),
        "Connections that may wait for a server; Heddle's asks for " + count(BACKLOG) + ".",
        isSmall ? "sysctl -w " + name + "=" + BACKLOG : "");
  }

  private @Nullable Finding timeWait() {
    Integer reuse = readings.timeWaitReuse();
    if (reuse == null) {
      return null;
    }
    String when = reuse == 0 ? "never" : reuse == 1 ? "to any address" : "on loopback only";
    return new Finding(
        reuse == 0 ? Status.WARNING : Status.OK,
        "net.ipv4.tcp_tw_reuse",
        String.valueOf(reuse),
        "The port of a closed connection is reused within a minute: " + when + ".",
        reuse == 0 ? "sysctl -w net.ipv4.tcp_tw_reuse=2, if clients open many connections." : "");
  }

  private @Nullable Finding keepAlive() {
    Integer seconds = readings.keepAliveSeconds();
    return seconds == null
        ? null
        : new Finding(
            Status.OK,
            "net.ipv4.tcp_keepalive_time",
            seconds + " s",
            "Probes of the system; Heddle sends an HTTP/2 PING much earlier, and closes idle"
                + " connections.",
            "");
  }

  private Finding cores() {
    boolean isOne = readings.cores() < 2;
    return new Finding(
        isOne ? Status.WARNING : Status.OK,
        "cores",
        String.valueOf(readings.cores()),
        "A race gives one half to the server and the other to the clients.",
        isOne ? "use a machine with two or more cores: client and server share this one." : "");
  }

  private @Nullable Finding load() {
    double load = readings.load();
    if (load < 0) {
      return null;
    }
    boolean isBusy = load > BUSY * readings.cores();
    return new Finding(
        isBusy ? Status.WARNING : Status.OK,
        "load average",
        String.format(Locale.ROOT, "%.2f", load),
        "Threads that wanted a core in the last minute, on average.",
        isBusy ? "end other programs: figures of a busy machine are noisy." : "");
  }

  private @Nullable Finding steal() {
    Double steal = readings.steal();
    if (steal == null) {
      return null;
    }
    boolean isMuch = steal > STOLEN;
    return new Finding(
        isMuch ? Status.WARNING : Status.OK,
        "stolen time",
        String.format(Locale.ROOT, "%.1f%%", 100 * steal),
        "The share of the cores that the hypervisor gave to other machines just now.",
        isMuch ? "measure at another time or on another machine." : "");
  }

  private Finding tool(String name) {
    boolean isThere = readings.tools().contains(name);
    String use = name.equals("nghttpd")
        ? "A race uses it as the server for HTTP/2."
        : "A race shows it next to the clients.";
    return new Finding(
        Status.OK,
        name,
        isThere ? "installed" : "not installed",
        isThere ? use : use + " It is optional.",
        "");
  }

  private static String widenPorts() {
    return "sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"";
  }

  /** Up to the next power of two. */
  private static long round(long files) {
    return Math.max(1_024, Long.highestOneBit(files - 1) << 1);
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
