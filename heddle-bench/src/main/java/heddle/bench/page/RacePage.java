package heddle.bench.page;

import com.samskivert.mustache.Template;
import heddle.bench.result.Costs;
import heddle.bench.result.Environment;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import heddle.load.cluster.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a race as one page of HTML that loads nothing: a summary, rankings and comparisons
 * with their intervals, and how to repeat the race. Tables, rankings and forest plots are plain
 * HTML; a script draws the other charts, and charts with few points are tables too.
 *
 * <p>A content security policy in the page forbids it to load anything and to run any script but
 * its own and the library that it carries, compressed, for the charts.
 */
public final class RacePage {

  private static final Template TEMPLATE = Resources.template("page");

  private RacePage() {}

  /** Renders the page; thread-safe. */
  public static String render(RaceResult result) {
    Environment environment = result.environment();
    List<CellResults> cells = CellResults.of(result);
    Palette palette = Palette.of(result);
    List<CellSection> sections =
        cells.stream().map(cell -> CellSection.of(cell, palette)).toList();
    Answer answer = Answer.of(result, cells, palette);
    List<Chart> sweeps = SweepCharts.of(cells);
    List<Chart> charts = new ArrayList<>(sweeps);
    sections.forEach(each -> charts.addAll(each.charts()));
    String library = Resources.charts();
    String script = Resources.own("page.js");

    Map<String, Object> view = new LinkedHashMap<>();
    Story story = result.story();
    view.put("title", story == null ? "A race between HTTP clients" : story.title());
    view.put("experiment", story == null ? List.of() : story);
    ThenNow thenNow = ThenNow.of(result);
    view.put("thenNow", thenNow == null ? List.of() : thenNow);
    view.put("baseline", environment.design().baseline());
    view.put("date", environment.date());
    view.put("place", place(environment));
    view.put("isPartial", result.isPartial());
    view.put("standings", standings(result));
    view.put("doubts", result.doubts());
    view.put("hasDoubts", !result.doubts().isEmpty());
    view.put("answer", answer == null ? List.of() : answer);
    view.put("isFolded", answer != null);
    view.put("summary", Summary.of(cells, environment.design()));
    view.put("sections", sections);
    view.put("sweeps", sweeps);
    view.put("hasSweeps", !sweeps.isEmpty());
    Table errors = Errors.of(result);
    view.put("errors", errors);
    view.put("hasErrors", !errors.rows().isEmpty());
    view.put("folded", folded(result));
    view.put("appendix", Appendix.of(result));
    view.put("license", Resources.chartLicense());
    view.put("style", Resources.own("page.css"));
    view.put("library", Resources.packed(library));
    view.put("script", script);
    view.put("hasCharts", !charts.isEmpty());
    view.put("data", data(charts, palette));
    view.put(
        "policy",
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '"
            + Resources.hash(library) + "' '" + Resources.hash(script) + "'");
    return TEMPLATE.execute(view);
  }

  /** The state of the race in a word, with the class of the style sheet. */
  record Standing(String css, String word) {}

  /** A folded list of failures or omissions. */
  record Folded(String title, List<String> lines) {}

  /** The states of a race: partial if it was stopped, then how sound it is. */
  static List<Standing> standings(RaceResult result) {
    List<Standing> standings = new ArrayList<>();
    if (result.isPartial()) {
      standings.add(new Standing("partial", "partial"));
    }
    if (!result.doubts().isEmpty()) {
      boolean isAnswered = Costs.of(result).isDecided();
      standings.add(
          isAnswered
              ? new Standing("noisy", "with doubts")
              : new Standing("invalid", "not to be trusted as a whole"));
    } else if (result.failures().isEmpty()) {
      standings.add(new Standing("valid", "sound"));
    } else {
      standings.add(new Standing("noisy", "with failures"));
    }
    return standings;
  }

  static String place(Environment environment) {
    return String.join(
        " · ",
        List.of(
            environment.cpu(),
            environment.cores() + (environment.cores() == 1 ? " core" : " cores"),
            environment.os(),
            environment.jdk()));
  }

  /** The doubts, omissions and failures of a race. */
  static List<Folded> against(RaceResult result) {
    List<Folded> folded = new ArrayList<>();
    if (!result.doubts().isEmpty()) {
      folded.add(new Folded("Not to be trusted: " + result.doubts().size(), result.doubts()));
    }
    folded.addAll(failed(result));
    return folded;
  }

  private static List<Folded> folded(RaceResult result) {
    List<Folded> folded = new ArrayList<>(failed(result));
    if (!result.omissions().isEmpty()) {
      folded.add(new Folded("Left out: " + result.omissions().size(), result.omissions()));
    }
    return folded;
  }

  private static List<Folded> failed(RaceResult result) {
    return result.failures().isEmpty()
        ? List.of()
        : List.of(new Folded("Failed: " + result.failures().size(), result.failures()));
  }

  private static String data(List<Chart> charts, Palette palette) {
    // A text with "</script" would end the element.
    return Json.line(charts.stream().map(each -> each.data(palette)).toList())
        .replace("<", "\\u003c");
  }
}
