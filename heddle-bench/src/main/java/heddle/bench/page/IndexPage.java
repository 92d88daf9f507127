package heddle.bench.page;

import com.samskivert.mustache.Template;
import heddle.bench.page.RacePage.Standing;
import heddle.bench.result.Environment;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.Soundness;
import heddle.bench.result.Story;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The index page of several experiments: what each shows, its results, how sound they are, and
 * links to its files. It has no script and loads nothing, and its links are relative, so that the
 * folder can be moved.
 */
public final class IndexPage {

  private static final Template TEMPLATE = Resources.template("index");

  private static final int SENTENCES = 2;

  private IndexPage() {}

  /** Renders the page with these experiments in this order; thread-safe. */
  public static String render(List<Entry> entries) {
    List<Outcome> outcomes =
        entries.stream().map(Entry::outcome).filter(Objects::nonNull).toList();
    String hint = sharedHint(outcomes);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("title", "HTTP clients, experiment by experiment");
    view.put("sentence", sentence(entries, outcomes));
    view.put("dates", dates(outcomes));
    view.put("places", outcomes.stream().map(Outcome::place).distinct().toList());
    view.put("hint", hint);
    view.put("hasOwnHints", hint.isEmpty());
    view.put("entries", entries);
    view.put("style", Resources.own("page.css"));
    return TEMPLATE.execute(view);
  }

  /** A link to a file of an experiment, relative to the page. */
  public record Link(String name, String address) {}

  /**
   * An experiment on the page.
   *
   * @param name its name on the command line
   * @param title a short title; the name if there is none
   * @param shows what it shows, in at most two sentences; may be empty
   * @param failure why it gave no result, or no new one; empty if nothing failed
   * @param outcome its outcome; null if there is none
   * @param links links to its files; may be empty
   */
  public record Entry(
      String name,
      String title,
      String shows,
      String failure,
      @Nullable Outcome outcome,
      List<Link> links) {

    /** Copies the list. */
    public Entry {
      links = List.copyOf(links);
    }

    /** An experiment that has not run, or whose result is missing. */
    public static Entry notRun(Story story) {
      return new Entry(
          story.name(), story.title(), firstSentences(story.shows()), "", null, List.of());
    }

    /** An experiment with a result, which may be without clients. */
    public static Entry of(Story story, RaceResult result, List<Link> links) {
      boolean isEmpty = result.results().isEmpty();
      String failure = String.join("; ", result.failures());
      return new Entry(
          story.name(),
          story.title(),
          firstSentences(story.shows()),
          isEmpty && !result.isPartial() ? "No client could be measured: " + failure : "",
          Outcome.of(story, result),
          links);
    }

    /** A copy that has failed; its outcome is then that of an earlier race. */
    public Entry failed(String reason) {
      Outcome earlier = outcome;
      String told = earlier == null
          ? reason
          : reason + " What follows is of an earlier race, of " + earlier.date() + ".";
      return new Entry(name, title, shows, told, outcome, links);
    }

    /** The id of its section. */
    String id() {
      return "of-" + name.replaceAll("[^A-Za-z0-9_.-]", "-");
    }

    String facts() {
      return outcome == null ? name : name + " · " + outcome.facts();
    }

    List<Standing> standings() {
      List<Standing> standings = new ArrayList<>();
      if (!failure.isEmpty()) {
        standings.add(new Standing("invalid", "failed"));
      }
      if (outcome != null) {
        standings.addAll(outcome.standings());
      } else if (failure.isEmpty()) {
        standings.add(new Standing("noisy", "not run"));
      }
      return standings;
    }

    boolean hasLinks() {
      return !links.isEmpty();
    }
  }

  /**
   * The outcome of an experiment.
   *
   * @param date when it began
   * @param place the machine that it ran on
   * @param seconds how long it took
   * @param facts the main facts of the race, in one line
   * @param counts the counts of its runs
   * @param standings its states
   * @param isPartial whether it was stopped early
   * @param baseline the client that the others are compared with
   * @param hint why there are no verdicts; empty if there may be
   * @param tallies how often the others are behind and ahead, by figure
   * @param silence why there are no tallies; empty if there are
   * @param folded doubts, omissions and failures
   */
  record Outcome(
      String date,
      String place,
      double seconds,
      String facts,
      Counts counts,
      List<Standing> standings,
      boolean isPartial,
      String baseline,
      String hint,
      List<Summary.Tally> tallies,
      String silence,
      List<RacePage.Folded> folded) {

    private static Outcome of(Story story, RaceResult result) {
      Environment environment = result.environment();
      String baseline = environment.design().baseline();
      Summary summary = Summary.of(CellResults.of(result), environment.design());
      boolean isEmpty = result.results().isEmpty();
      String silence = "In no cell do " + baseline + " and another client both have a valid run, so"
          + " there is no comparison.";
      return new Outcome(
          environment.date(),
          RacePage.place(environment),
          environment.wallSeconds(),
          facts(story, environment),
          Counts.of(result),
          RacePage.standings(result).stream()
              .filter(each -> !isEmpty || each.css().equals("partial"))
              .toList(),
          result.isPartial(),
          baseline,
          summary.hint(),
          summary.tallies(),
          isEmpty || summary.hasTallies() ? "" : silence,
          isEmpty ? List.of() : RacePage.against(result));
    }

    private static String facts(Story story, Environment environment) {
      int rounds = environment.design().rounds();
      return String.join(
          " · ",
          List.of(
              rounds == 1 ? "1 round" : rounds + " rounds",
              "scale " + story.scale(),
              Appendix.took(environment.wallSeconds()),
              environment.date()));
    }

    String took() {
      return Appendix.took(seconds);
    }

    boolean hasTallies() {
      return !tallies.isEmpty();
    }
  }

  /**
   * The number of runs.
   *
   * @param rounds the requested rounds per cell
   * @param runs the runs of all clients together
   * @param invalid how many of those do not count
   * @param noisy how many of those count but were disturbed
   */
  record Counts(int rounds, int runs, int invalid, int noisy) {

    static Counts of(RaceResult result) {
      int runs = 0;
      int invalid = 0;
      int noisy = 0;
      for (Measurement each : result.results()) {
        for (Run run : each.runs()) {
          runs++;
          invalid += run.isInvalid() ? 1 : 0;
          noisy += run.soundness() instanceof Soundness.Noisy ? 1 : 0;
        }
      }
      return new Counts(result.environment().design().rounds(), runs, invalid, noisy);
    }
  }

  /** The hint that applies to all outcomes of the page; empty if they differ. */
  private static String sharedHint(List<Outcome> outcomes) {
    List<String> hints = outcomes.stream()
        .filter(Outcome::hasTallies)
        .map(Outcome::hint)
        .distinct()
        .toList();
    return hints.size() == 1 ? hints.getFirst() : "";
  }

  /** Such as {@code 12 experiments in 26 min 10 s: 10 sound, 1 partial, 1 failed.} */
  private static String sentence(List<Entry> entries, List<Outcome> outcomes) {
    Map<String, Long> states = entries.stream()
        .collect(Collectors.groupingBy(
            each -> each.standings().getFirst().word(), LinkedHashMap::new, Collectors.counting()));
    double seconds = outcomes.stream().mapToDouble(Outcome::seconds).sum();
    return entries.size()
        + (entries.size() == 1 ? " experiment" : " experiments")
        + (outcomes.isEmpty() ? ": " : " in " + Appendix.took(seconds) + ": ")
        + states.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "))
        + ".";
  }

  private static String dates(List<Outcome> outcomes) {
    List<String> dates = outcomes.stream().map(Outcome::date).sorted().toList();
    if (dates.isEmpty()) {
      return "";
    }
    String first = dates.getFirst();
    String last = dates.getLast();
    return first.equals(last) ? first : first + " to " + last;
  }

  private static String firstSentences(String text) {
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(text);
    int end = sentences.next(SENTENCES);
    return (end == BreakIterator.DONE ? text : text.substring(0, end)).strip();
  }
}
