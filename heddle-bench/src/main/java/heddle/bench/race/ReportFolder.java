package heddle.bench.race;

import heddle.bench.experiment.Experiments;
import heddle.bench.page.IndexPage;
import heddle.bench.page.IndexPage.Entry;
import heddle.bench.page.IndexPage.Link;
import heddle.bench.report.JsonReport;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder with a subfolder for the report of each experiment, and an index page, {@code
 * index.html}, with links to all of them, including those of earlier races.
 *
 * <pre>{@code
 * ReportFolder folder = ReportFolder.of(place, stories);
 * RaceOutputs outputs = ReportFolder.outputs(place, story);
 * RaceResult result = new Race(RaceOptions.builder(home).outputs(outputs).build()).run(listener);
 * folder.finished(result);
 * folder.write();
 * }</pre>
 *
 * <p>Used by one thread.
 */
public final class ReportFolder {

  private static final Comparator<Entry> IN_THE_ORDER_OF_THE_LIST =
      Comparator.comparingInt((Entry each) -> place(each.name())).thenComparing(Entry::name);

  private final Path folder;
  private final Map<String, Entry> entries = new HashMap<>();

  private ReportFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Opens the folder with the reports in it; it need not exist.
   *
   * @param planned the planned experiments, which the page lists even before they have run
   * @throws RaceException if the folder cannot be read
   */
  public static ReportFolder of(Path folder, List<Story> planned) throws RaceException {
    ReportFolder report = new ReportFolder(folder);
    for (Story story : planned) {
      report.entries.put(story.name(), Entry.notRun(story));
    }
    for (Path each : report.folders()) {
      Path json = RaceOutputs.in(each).json();
      if (Files.isRegularFile(json)) {
        Entry earlier = report.read(json, each);
        if (earlier != null) {
          report.entries.put(earlier.name(), earlier);
        }
      }
    }
    return report;
  }

  private List<Path> folders() throws RaceException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new RaceException("cannot read the folder " + folder + ": " + e, e);
    }
  }

  /** Null for a race of cells, which is no experiment. */
  private @Nullable Entry read(Path json, Path own) {
    try {
      RaceResult result = JsonReport.read(json);
      Story story = result.story();
      return story == null ? null : Entry.of(story, result, links(RaceOutputs.in(own)));
    } catch (IOException e) {
      String name = Objects.requireNonNull(own.getFileName()).toString();
      Entry planned = entries.get(name);
      Entry unread = planned == null
          ? new Entry(name, name, "", "", null, links(RaceOutputs.in(own)))
          : planned;
      return unread.failed("The result of an earlier race cannot be read: " + e.getMessage());
    }
  }

  /** The outputs of an experiment in such a folder. */
  public static RaceOutputs outputs(Path folder, Story story) {
    return RaceOutputs.in(folder.resolve(story.name()));
  }

  /** Records that an experiment has run, completely or partially, and written its files. */
  public void finished(RaceResult result) {
    Story story = Objects.requireNonNull(result.story(), "a race of cells is not an experiment");
    entries.put(story.name(), Entry.of(story, result, links(outputs(folder, story))));
  }

  /**
   * Records that an experiment has ended without a result. The files of an earlier race stay.
   *
   * @param reason the reason, in one or more sentences
   */
  public void failed(Story story, String reason) {
    Entry known = entries.get(story.name());
    entries.put(story.name(), (known == null ? Entry.notRun(story) : known).failed(reason));
  }

  /** The index page. */
  public Path page() {
    return folder.resolve("index.html");
  }

  /**
   * Writes the index page.
   *
   * @throws RaceException if it cannot be written
   */
  public void write() throws RaceException {
    Path page = page();
    List<Entry> listed =
        entries.values().stream().sorted(IN_THE_ORDER_OF_THE_LIST).toList();
    try {
      Files.createDirectories(folder);
      Files.writeString(page, IndexPage.render(listed), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new RaceException("cannot write " + page + ": " + e, e);
    }
  }

  /** Links to those of its files that exist. */
  private List<Link> links(RaceOutputs outputs) {
    List<Link> links = new ArrayList<>();
    link(links, "Its page", outputs.html());
    link(links, "JSON", outputs.json());
    Path csv = outputs.csv();
    if (csv != null) {
      link(links, "CSV", csv);
    }
    return links;
  }

  private void link(List<Link> links, String name, Path file) {
    if (Files.exists(file)) {
      // RFC 3986 §4.2: a colon in the first segment would end a scheme.
      String address = folder.toUri().relativize(file.toUri()).toString().replace(":", "%3A");
      links.add(new Link(name, address));
    }
  }

  /** The position in the list of experiments; user files come after the shipped ones. */
  private static int place(String name) {
    int place = Experiments.NAMES.indexOf(name);
    return place < 0 ? Integer.MAX_VALUE : place;
  }
}
