package heddle.bench.coldstart;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;

/**
 * The main class of the fresh JVM. It opens one client, sends one request, reads the answer and
 * prints how long that took. Apart from the few types of the driver's interface it loads nothing
 * before the answer that a program with that client would not load. Therefore it prints lines of
 * {@code name=number}, and reads its own gauges only afterwards.
 */
public final class ColdStart {

  /** The prefix of a message if there was no answer. */
  static final String FAILURE = "failure=";

  private static final String STATUS = "/proc/self/status";
  private static final String PEAK = "VmHWM:";

  private ColdStart() {}

  /**
   * The arguments: the client's name, its {@link Profile}, the URI, the {@link Protocol}, whom to
   * trust (a PEM file, {@code *} for any certificate, empty for the JDK's trust store), and the
   * value of {@link System#nanoTime} just before this JVM was started. That clock is the same for
   * all processes of a machine.
   */
  public static void main(String[] args) {
    long begun = System.nanoTime();
    PrintStream out = System.out;
    // Keeps the output of the client out of the report.
    System.setOut(System.err);
    try {
      Answer answer = firstAnswer(args);
      long answered = System.nanoTime();
      if (!answer.isSuccess()) {
        throw new IOException("the answer had status " + answer.status());
      }
      report(out, answered - Long.parseLong(args[5]), answered - begun);
    } catch (Exception e) {
      out.println(FAILURE + e);
    }
    out.flush();
    // The race must not wait for threads that a client leaves behind.
    Runtime.getRuntime().halt(0);
  }

  private static Answer firstAnswer(String[] args) throws Exception {
    Driver driver = driver(args[0]);
    URI uri = URI.create(args[2]);
    Wire wire = args[3].equals(Protocol.HTTP_2.name()) ? Wire.http2(1, 1) : Wire.http1(1);
    DriverConfig config =
        new DriverConfig(uri, wire.withTrust(trust(args[4])), Profile.valueOf(args[1]));
    String refusal = driver.refusal(config);
    if (refusal != null) {
      throw new IOException(refusal);
    }
    driver.start(config);
    DriverRequest request = DriverRequest.get(uri);
    return switch (driver) {
      case ClientDriver blocking -> blocking.prepare(request).exchange();
      case AsyncClientDriver async -> async.prepare(request).await();
    };
  }

  private static Driver driver(String name) {
    for (Driver each : ServiceLoader.load(Driver.class)) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new IllegalStateException("there is no driver " + name + " on the class path");
  }

  private static Trust trust(String text) {
    if (text.isEmpty()) {
      return new Trust.Default();
    }
    return text.equals("*") ? new Trust.Everything() : new Trust.Pem(Path.of(text));
  }

  /** Cheapest gauge first, so that no figure includes the cost of a later one. */
  private static void report(PrintStream out, long sinceStart, long sinceMain) throws IOException {
    Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    out.println("sinceStartNanos=" + sinceStart);
    out.println("sinceMainNanos=" + sinceMain);
    if (!cpu.isZero()) {
      out.println("cpuNanos=" + cpu.toNanos());
    }
    Path status = Path.of(STATUS);
    if (Files.isReadable(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(PEAK)) {
          String kib =
              line.substring(PEAK.length(), line.length() - " kB".length()).strip();
          out.println("peakRssBytes=" + Long.parseLong(kib) * 1024);
        }
      }
    }
    out.println("platformThreads=" + ManagementFactory.getThreadMXBean().getPeakThreadCount());
    out.println("classes=" + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
  }
}
