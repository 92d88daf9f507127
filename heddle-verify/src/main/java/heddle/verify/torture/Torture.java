package heddle.verify.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Runs trials one after the other, prints a row for each, and writes the table as Markdown. Exits
 * with 1 if one of them failed, with 2 if a trial that was asked for does not exist.
 */
public final class Torture {
  private static final Logger LOG = Logger.getLogger("heddle");

  private static final String LEGEND =
      """
      The victim's calls are timed without stalls of the machine. A server's trial that failed only
      because they were slow is repeated once. Normal service is a new connection answered in 0.1 s.
      """;

  private Torture() {}

  /** Takes the file for the table, then {@code --list} or the names of trials; all without any. */
  public static void main(String[] args) throws Exception {
    List<String> names = List.of(args).subList(1, args.length);
    if (names.contains("--list")) {
      trials().forEach(trial -> System.out.printf("%-36s %s%n", trial.name(), trial.what()));
      return;
    }
    List<Trial> chosen = new ArrayList<>();
    for (String name : names) {
      List<Trial> found = trials().filter(trial -> trial.name().equals(name)).toList();
      if (found.isEmpty()) {
        System.err.println("torture: there is no \"" + name + "\"; --list shows what there is");
        System.exit(2);
      }
      chosen.addAll(found);
    }
    List<Result> results = run(names.isEmpty() ? trials().toList() : chosen);
    write(Path.of(args[0]), results);
    System.out.println(LEGEND);
    long failed = results.stream().filter(result -> !result.passed()).count();
    System.out.printf("torture: %d of %d passed%n", results.size() - failed, results.size());
    System.exit(failed == 0 ? 0 : 1);
  }

  static Stream<Trial> trials() {
    return Stream.of(
            Http1Attacks.all(),
            Http2Attacks.all(),
            SiteAttacks.all(),
            ClientAttacks.all(),
            ErrorTrial.all(),
            ProcessTrial.all(),
            List.of(new ClientNeighbour()),
            ClockTrial.all())
        .flatMap(List::stream);
  }

  static List<Result> run(List<Trial> trials) throws InterruptedException {
    // Failures in this process are intended.
    LOG.setLevel(Level.OFF);
    System.out.println(Result.line(Result.TITLES));
    List<Result> results = new ArrayList<>();
    for (Trial trial : trials) {
      Result result;
      try (Stalls stalls = new Stalls()) {
        result = trial.run(stalls);
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        result = Result.of(trial.name(), List.of("broke off: " + e), "");
      }
      System.out.println(Result.line(result.cells()));
      results.add(result);
    }
    return results;
  }

  private static void write(Path file, List<Result> results) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(Result.markdown(Result.TITLES));
    lines.add("|---|" + "---:|".repeat(Result.TITLES.size() - 2) + "---|");
    results.forEach(result -> lines.add(Result.markdown(result.cells())));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, lines);
  }
}
