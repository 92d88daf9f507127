package heddle.bench.coldstart;

import heddle.bench.driver.Driver;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import heddle.load.cluster.process.ClassPlace;
import heddle.load.cluster.process.Cores;
import heddle.load.cluster.process.ProcessOutput;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts fresh JVMs, each of which makes one request. Safe for use by many threads, although
 * concurrent starts disturb each other's figures.
 *
 * <pre>{@code
 * ColdStarts cold = ColdStarts.ofDriver(jars, "heddle", Profile.DEFAULTS, flags, cores);
 * RunFigures figures = cold.run(server.resolve("/hello"), Wire.http1(1));
 * }</pre>
 *
 * @param classPath any that has {@link ColdStart} and the client's driver
 * @param client the driver's name
 * @param profile the client's settings
 * @param flags of the JVM
 * @param cores to pin it to from the beginning; empty for none
 */
public record ColdStarts(
    String classPath, String client, Profile profile, List<String> flags, List<Integer> cores) {

  private static final long MOST_MILLIS = 60_000;
  private static final double NANOS_A_MILLI = 1e6;

  /** Copies the lists. */
  public ColdStarts {
    flags = List.copyOf(flags);
    cores = List.copyOf(cores);
  }

  /** Starts of a client with the class path of its driver alone. */
  public static ColdStarts ofDriver(
      String driverClassPath,
      String client,
      Profile profile,
      List<String> flags,
      List<Integer> cores) {
    return new ColdStarts(
        String.join(
            File.pathSeparator,
            ClassPlace.of(ColdStart.class).toString(),
            ClassPlace.of(Driver.class).toString(),
            driverClassPath),
        client,
        profile,
        flags,
        cores);
  }

  /**
   * Starts one and waits for its end.
   *
   * @param uri what it asks for, with GET
   * @param wire only its protocol and its trust are used
   * @return the milliseconds to the first answer, from the start of the process and from the
   *     beginning of main; CPU time so far, in steps of 10 ms; the peak resident set, classes
   *     loaded (including the few that count them), platform threads
   * @throws IOException if there was no successful answer; the message says why
   */
  public RunFigures run(URI uri, Wire wire) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, ColdStart.class.getName()));
    command.addAll(
        List.of(client, profile.name(), uri.toString(), wire.protocol().name()));
    command.add(
        switch (wire.trust()) {
          case Trust.Default _ -> "";
          case Trust.Pem(Path certificates) -> certificates.toString();
          case Trust.Everything _ -> "*";
        });
    command.add(String.valueOf(System.nanoTime()));
    ProcessOutput said = ProcessOutput.of(Cores.pin(cores, command), MOST_MILLIS, () -> {});
    return figures(said);
  }

  private static RunFigures figures(ProcessOutput said) throws IOException {
    Map<Figure, Double> values = new EnumMap<>(Figure.class);
    for (String line : said.output().lines().toList()) {
      if (line.startsWith(ColdStart.FAILURE)) {
        throw new IOException(line.substring(ColdStart.FAILURE.length()));
      }
      int equals = line.indexOf('=');
      if (equals > 0) {
        put(values, line.substring(0, equals), Double.parseDouble(line.substring(equals + 1)));
      }
    }
    Double sinceStart = values.get(Figure.FIRST_ANSWER);
    if (sinceStart == null) {
      throw new IOException("it ended with " + said.exitCode() + ": " + said.errors());
    }
    if (sinceStart <= 0) {
      throw new IOException("the clocks of two processes do not agree here");
    }
    values.put(Figure.ANSWERED, 1.0);
    values.put(Figure.SENT, 1.0);
    return new RunFigures(values, Map.of());
  }

  private static void put(Map<Figure, Double> values, String name, double value) {
    @Nullable
    Figure figure =
        switch (name) {
          case "sinceStartNanos" -> Figure.FIRST_ANSWER;
          case "sinceMainNanos" -> Figure.FIRST_ANSWER_SINCE_MAIN;
          case "cpuNanos" -> Figure.FIRST_ANSWER_CPU;
          case "peakRssBytes" -> Figure.PEAK_RSS;
          case "platformThreads" -> Figure.THREADS;
          case "classes" -> Figure.CLASSES;
          default -> null;
        };
    if (figure != null) {
      values.put(figure, name.endsWith("Nanos") ? value / NANOS_A_MILLI : value);
    }
  }
}
