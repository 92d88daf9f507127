package heddle.load.cluster.merge;

import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadReport;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.cluster.json.Json;
import heddle.load.goal.Slo;
import heddle.load.record.GeneratorCost;
import heddle.load.record.Latency;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Strand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A load's figures as JSON: the target and the load under {@code target} and {@code plan}, latency
 * in microseconds, and under {@code histograms} all recorded values in nanoseconds, in
 * HdrHistogram's compressed form, version 2, in base 64, or an empty string if there are none.
 */
public final class LoadJson {

  private static final String FORMAT = "heddle-load";
  private static final int VERSION = 2;

  /** The beginning of a result on one line. */
  private static final String LINE = "{\"format\":\"" + FORMAT + "\"";

  /** The prefix that {@code kubectl logs --prefix} puts before each line. */
  private static final Pattern PREFIX = Pattern.compile("^\\[pod/[^\\]]*\\] ");

  private LoadJson() {}

  /** Says what the rest of a file is. */
  private record Header(@Nullable String format, @Nullable Integer version) {}

  /** The load, the same for all its segments. */
  record Plan(Pace pace, Extent extent, Duration warmUp, Strand strand) {
    static Plan of(LoadShape shape) {
      return new Plan(shape.pace(), shape.extent(), shape.warmUp(), shape.strand());
    }
  }

  private record Goal(String goal, boolean met, @Nullable Double measured) {
    static Goal of(Slo.Verdict verdict) {
      Double measured = Double.isNaN(verdict.measured()) ? null : verdict.measured();
      return new Goal(verdict.slo().text(), verdict.isMet(), measured);
    }
  }

  /** All that is in a file. What can be computed from the rest is ignored when it is read. */
  private record Document(
      String format,
      int version,
      Map<String, Object> target,
      Plan plan,
      Segment segment,
      String host,
      int processes,
      Instant begin,
      boolean partial,
      String cutShort,
      boolean valid,
      List<String> doubts,
      Duration seconds,
      long answered,
      long errors,
      long dropped,
      long bodyBytes,
      double requestsPerSecond,
      Latency latency,
      Latency service,
      Latency sendLag,
      List<ErrorCause> errorsByCause,
      List<Goal> goals,
      @Nullable GeneratorCost generator,
      LoadReport.@Nullable Batches batches,
      LoadReport.@Nullable Held held,
      long sent,
      double sendingSeconds,
      LoadReport.Distributions histograms) {

    static Document of(LoadResult result, List<Slo.Verdict> goals) {
      LoadReport report = result.report();
      return new Document(
          FORMAT,
          VERSION,
          result.target(),
          Plan.of(report.shape()),
          report.shape().segment(),
          result.host(),
          result.processes(),
          report.sending().begin(),
          report.isPartial(),
          report.cutShort(),
          report.isValid(),
          report.doubts(),
          report.duration(),
          report.answered(),
          report.failed(),
          report.dropped(),
          report.bodyBytes(),
          report.requestsPerSecond(),
          report.latency(),
          report.service(),
          report.sendLag(),
          report.errors(),
          goals.stream().map(Goal::of).toList(),
          report.generator(),
          report.batches(),
          report.held(),
          report.sending().count(),
          report.sending().seconds(),
          report.distributions());
    }

    LoadResult result(String source) {
      if (histograms.response().count() != answered) {
        throw new IllegalArgumentException("its histogram of response holds "
            + histograms.response().count() + ", and " + answered + " were answered");
      }
      LoadShape shape = new LoadShape(plan.pace, plan.extent, plan.warmUp, plan.strand, segment);
      LoadReport report = new LoadReport(
          shape,
          seconds,
          answered,
          bodyBytes,
          requestsPerSecond,
          latency,
          service,
          sendLag,
          errorsByCause,
          dropped,
          cutShort,
          doubts,
          generator,
          batches,
          held,
          histograms,
          new LoadReport.Sending(begin, sent, sendingSeconds));
      return new LoadResult(source, target, report, host, processes);
    }
  }

  /** Writes it indented, on several lines. */
  public static void write(LoadResult result, List<Slo.Verdict> goals, OutputStream out)
      throws IOException {
    out.write(Json.pretty(Document.of(result, goals)).getBytes(StandardCharsets.UTF_8));
  }

  /** Writes it on one line, so that it can be found in a log. */
  public static void writeLine(LoadResult result, List<Slo.Verdict> goals, OutputStream out)
      throws IOException {
    out.write((Json.line(Document.of(result, goals)) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads the results of a file: a single result, or several on one line each, with any prefix that
   * a log adds, such as the output of {@code kubectl logs}.
   *
   * @throws IOException if the file cannot be read or holds none; the message names it and says
   *     what is wrong with it
   */
  public static List<LoadResult> read(Path file) throws IOException {
    List<LoadResult> results = find(file);
    return results.isEmpty()
        ? List.of(read(file.toString(), String.join("\n", lines(file))))
        : results;
  }

  /**
   * The same for a file that may hold none.
   *
   * @throws IOException if the file cannot be read, or holds an incomplete result
   */
  public static List<LoadResult> find(Path file) throws IOException {
    List<LoadResult> results = new ArrayList<>();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      if (line.startsWith(LINE)) {
        results.add(read(file + ":" + number, line));
      }
    }
    return results;
  }

  /**
   * Reads one result.
   *
   * @param source its name in messages
   * @throws IOException if it is none; the message says why
   */
  public static LoadResult read(String source, String text) throws IOException {
    try {
      requireFormat(text, FORMAT, VERSION, "load");
      return Json.read(text, Document.class).result(source);
    } catch (IllegalArgumentException e) {
      throw new IOException(source + " is not a result of a load: " + e.getMessage(), e);
    }
  }

  /**
   * Checks the fields {@code format} and {@code version} of a document.
   *
   * @param what what is described, which is the command that writes it too, such as {@code load}
   * @throws IllegalArgumentException if they are others
   */
  public static void requireFormat(String text, String format, int version, String what) {
    String writer = "heddle " + what + " --json writes one";
    Header header;
    try {
      header = Json.read(text, Header.class);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + "; " + writer, e);
    }
    if (!format.equals(header.format)) {
      throw new IllegalArgumentException("its format is "
          + (header.format == null ? "not given" : header.format) + ", not " + format + ": "
          + writer);
    }
    if (!Objects.equals(version, header.version)) {
      throw new IllegalArgumentException("it has version " + header.version
          + " of the format, and this heddle reads " + version + ": run the " + what + " again");
    }
  }

  /**
   * The text of a file.
   *
   * @throws IOException if it cannot be read; the message names it
   */
  public static String text(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new IOException(
          file + " cannot be read: " + (Files.isDirectory(file) ? "it is a folder" : e), e);
    }
  }

  /** The lines of a file, without the prefix that names the pod. */
  static List<String> lines(Path file) throws IOException {
    return text(file).lines().map(line -> PREFIX.matcher(line).replaceFirst("")).toList();
  }
}
