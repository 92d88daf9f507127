package heddle.verify.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One kind of error, thrown at every step of an exchange on one side of it.
 *
 * @param options of {@link InjectedErrors}
 */
record ErrorTrial(Fault fault, String side, String version, List<String> options) implements Trial {
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  static List<Trial> all() {
    List<Trial> all = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      for (String side : List.of("server", "client")) {
        for (String version : List.of("h1", "h2")) {
          all.add(new ErrorTrial(fault, side, version, List.of()));
        }
      }
    }
    for (String side : List.of("server", "client")) {
      for (String version : List.of("h1", "h2")) {
        for (Fault fault : List.of(Fault.OUT_OF_MEMORY, Fault.IO)) {
          all.add(new ErrorTrial(fault, side, version, List.of(InjectedErrors.SIMULATED)));
        }
        all.add(new ErrorTrial(
            Fault.OUT_OF_MEMORY, side, version, List.of(InjectedErrors.LOSES_TASKS)));
      }
      for (Fault fault : List.of(Fault.OUT_OF_MEMORY, Fault.IO)) {
        all.add(new ErrorTrial(fault, side, "h1", List.of(InjectedErrors.TLS)));
      }
    }
    return all;
  }

  @Override
  public String name() {
    String error = fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    List<String> parts = new ArrayList<>(List.of(error, side, version));
    parts.addAll(options);
    return String.join("-", parts);
  }

  @Override
  public String what() {
    return fault.make().getClass().getSimpleName() + " at each step that a " + side
        + " takes in an exchange"
        + (options.contains(InjectedErrors.TLS) ? " over TLS" : "")
        + (options.contains(InjectedErrors.LOSES_TASKS) ? ", tasks and timers are lost" : "")
        + (options.contains(InjectedErrors.SIMULATED) ? " (simulated)" : "");
  }

  @Override
  public int seconds() {
    return 5;
  }

  @Override
  public Result run(Stalls stalls) throws Exception {
    Path folder = Files.createTempDirectory("heddle-torture");
    List<String> arguments = new ArrayList<>(List.of(fault.name(), side, version));
    arguments.addAll(options);
    try (Child child = Child.start(
        new Child.Options(128, 0, withLoggers(folder)),
        InjectedErrors.class,
        arguments.toArray(String[]::new))) {
      child.port();
      String said = child.nextLine(PATIENCE);
      if (said == null || !said.startsWith("done ")) {
        String first = child.errors().lines().findFirst().orElse("");
        return Result.of(name(), List.of("did not end: " + said + " " + first), "");
      }
      String[] parts = said.split(" ", 3);
      List<String> broken = parts[2].isEmpty() ? List.of() : List.of(parts[2]);
      return Result.of(name(), broken, parts[1] + " steps");
    } finally {
      delete(folder);
    }
  }

  /** Registers the faulty loggers in a folder that only the tortured process has on its path. */
  private static Path withLoggers(Path folder) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF").resolve("services"));
    Path file = services.resolve("java.lang.System$LoggerFinder");
    Files.writeString(file, FaultyLoggers.class.getName() + "\n");
    return folder;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
