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
 * The page that leads to those of several experiments: what each shows, what was found, how sound
 * that is, and where the rest of it lies. It has no script, asks nobody for anything, and its links
 * are relative, so that a folder can be moved with all that is in it.
 */
public final class IndexPage {

  private static final Template TEMPLATE = Resources.template("index");

  private static final int SENTENCES = 2;

  private IndexPage() {}

  /** A whole page with these experiments in their order; thread-safe. */
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
    view.put(
        "entries",
        hint.isEmpty() ? entries : entries.stream().map(Entry::withoutHint).toList());
    view.put("style", Resources.own("page.css"));
    return TEMPLATE.execute(view);
  }

  /** A file of an experiment, by its address relative to the page. */
  public record Link(String name, String address) {}

  /**
   * An experiment as the page tells it.
   *
   * @param name as the command takes it
   * @param title in a few words; the name where nobody knows better
   * @param shows what there is to be seen, in two sentences at most; may be empty
   * @param failure why it gave no result, or no new one; empty where nothing failed
   * @param outcome what came of it; null where nothing did
   * @param links to its files; may be none
   */
  public record Entry(
      String name,
      String title,
      String shows,
      String failure,
      @Nullable Outcome outcome,
      List<Link> links) {

    /** Keeps a copy. */
    public Entry {
      links = List.copyOf(links);
    }

    /** One that has not run, or whose result is not there. */
    public static Entry notRun(Story story) {
      return new Entry(
          story.name(), story.title(), firstSentences(story.shows()), "", null, List.of());
    }

    /** One that gave a result, be it of nobody. */
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

    /** The same after it has failed; what came of it is then that of an earlier race. */
    public Entry failed(String reason) {
      Outcome earlier = outcome;
      String told = earlier == null
          ? reason
          : reason + " What follows is of an earlier race, of " + earlier.date() + ".";
      return new Entry(name, title, shows, told, outcome, links);
    }

    /** Of its section. */
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

    private Entry withoutHint() {
      return new Entry(
          name, title, shows, failure, outcome == null ? null : outcome.withHint(""), links);
    }
  }

  /**
   * What came of an experiment.
   *
   * @param date when it began
   * @param place where it ran
   * @param seconds how long it took
   * @param facts of the race, in a line
   * @param counts of its runs
   * @param standings its states
   * @param isPartial whether it was stopped
   * @param baseline the client that the others are compared to
   * @param hint why there are no verdicts; empty where there may be
   * @param tallies how often the others are behind and ahead, by figure
   * @param silence why there is none of these; empty where there is one
   * @param folded what speaks against it, and what failed
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
      String silence = "In no cell have " + baseline + " and somebody else a run that counts, so"
          + " nobody is compared.";
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

    Outcome withHint(String other) {
      return new Outcome(
          date, place, seconds, facts, counts, standings, isPartial, baseline, other, tallies,
          silence, folded);
    }
  }

  /**
   * How many runs there were.
   *
   * @param rounds in each cell, as was asked for
   * @param runs of all clients together
   * @param invalid of those, how many do not count
   * @param noisy of those, how many count and were disturbed
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

  /** What is to be said of every verdict of the page; empty where they differ in that. */
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
