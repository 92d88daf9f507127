package heddle.bench.report;

import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Recording;
import heddle.bench.result.Run;
import heddle.bench.result.Series.Sample;
import heddle.load.record.Distribution;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes the recordings of a race for other tools: {@code cell.client.hlog} per client and cell, a
 * log of HdrHistogram (version 1.3, nanoseconds) with a line for each run and each of the tags
 * {@code response}, {@code service} and {@code lag}. The runs follow one another without a pause;
 * invalid runs are omitted and mentioned in a comment. Programs that record nothing have no log.
 */
public final class RunLogs {

  private static final double NANOS_IN_MILLI = 1e6;

  private RunLogs() {}

  /**
   * Writes the files, replacing those of the same names. The folder is created if necessary.
   *
   * @return the files written, in the order of the results
   * @throws IOException if a file cannot be written; the message names it
   */
  public static List<Path> write(RaceResult result, Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new IOException("cannot make the folder " + folder + ": " + e, e);
    }
    List<Path> written = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (Measurement each : result.results()) {
      if (each.runs().stream().anyMatch(run -> !run.recording().response().isEmpty())) {
        written.add(log(each, folder.resolve(name(each, taken))));
      }
    }
    return written;
  }

  /** A unique name without characters that are special in a file system or a shell. */
  private static String name(Measurement measurement, Set<String> taken) {
    String plain = (measurement.cell().name() + "." + measurement.client())
        .replaceAll("[^A-Za-z0-9._-]+", "_")
        .replaceAll("^[.-]+|_+$", "");
    String name = plain;
    // Some file systems ignore case.
    for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
      name = plain + "-" + i;
    }
    return name + ".hlog";
  }

  private static Path log(Measurement measurement, Path file) throws IOException {
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputComment(
          "[" + measurement.client() + " in " + measurement.cell().name() + "]");
      double start = 0;
      for (Run run : measurement.runs()) {
        if (run.isInvalid()) {
          writer.outputComment("[round " + run.round() + " does not count: "
              + String.join("; ", run.soundness().reasons()).replaceAll("\\s+", " ") + "]");
        } else {
          start = run(writer, run, start);
        }
      }
      if (out.checkError()) {
        throw new IOException("the disk took no more");
      }
      return file;
    } catch (IOException e) {
      throw new IOException("cannot write " + file + ": " + e, e);
    }
  }

  /** Returns when it ended, in seconds. */
  private static double run(HistogramLogWriter writer, Run run, double start) {
    Recording recording = run.recording();
    List<Sample> samples = recording.series().samples();
    double end = start + (samples.isEmpty() ? 1 : samples.getLast().seconds());
    writer.outputComment("[round " + run.round() + "]");
    line(writer, "response", recording.response(), start, end);
    line(writer, "service", recording.service(), start, end);
    line(writer, "lag", recording.sendLag(), start, end);
    return end;
  }

  private static void line(
      HistogramLogWriter writer, String tag, Distribution recorded, double start, double end) {
    if (!recorded.isEmpty()) {
      Histogram histogram = recorded.histogram();
      histogram.setTag(tag);
      writer.outputIntervalHistogram(start, end, histogram, NANOS_IN_MILLI);
    }
  }
}
