package heddle.bench.merge;

import heddle.bench.record.Latency;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * Adds interval logs ({@code .hlog}) of processes that ran at the same time. Intervals are put
 * together by the second, of the clocks, in which their middle lies; a line of the sum says from
 * when to when its parts went. The lines of a tag add up to exactly what all logs hold. Used by one
 * thread.
 */
public final class LogMerge {

  private static final double NANOS_IN_MILLI = 1e6;

  private static final String BEGINNING = "#[Histogram log format";

  private final Map<String, Histogram> sums = new LinkedHashMap<>();
  private final TreeMap<Long, Map<String, Line>> seconds = new TreeMap<>();
  private long first = Long.MAX_VALUE;
  private int logs;

  /** No log yet. */
  public LogMerge() {}

  /** Times are milliseconds since 1970. */
  private static final class Line {
    private final Histogram sum;
    private long begin;
    private long end;

    Line(Histogram histogram) {
      sum = histogram;
      begin = histogram.getStartTimeStamp();
      end = histogram.getEndTimeStamp();
    }

    void add(Histogram histogram) {
      sum.add(histogram);
      begin = Math.min(begin, histogram.getStartTimeStamp());
      end = Math.max(end, histogram.getEndTimeStamp());
    }
  }

  /** Whether the file is named as an interval log is. */
  public static boolean isLog(Path file) {
    return file.toString().endsWith(".hlog");
  }

  /**
   * Adds a log.
   *
   * @throws IOException when it cannot be read, is something else or is damaged; the message names
   *     it
   */
  public void add(Path file) throws IOException {
    List<String> lines = ResultFile.lines(file);
    if (addSections(file, lines) == 0) {
      add(file, lines);
    }
  }

  /**
   * Adds the logs that stand among other lines of a file, one after the other, such as in what
   * {@code kubectl logs} gives.
   *
   * @return how many there were
   * @throws IOException when the file cannot be read, or a log in it is damaged
   */
  public int addThoseIn(Path file) throws IOException {
    List<String> own = ResultFile.lines(file).stream().filter(LogMerge::isOfLog).toList();
    return addSections(file, own);
  }

  private static boolean isOfLog(String line) {
    return line.startsWith("#[") || line.startsWith("\"StartTimestamp") || line.startsWith("Tag=");
  }

  /** Each begins with a line that says so, and has times of its own. */
  private int addSections(Path file, List<String> lines) throws IOException {
    List<Integer> begins = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(BEGINNING)) {
        begins.add(i);
      }
    }
    for (int i = 0; i < begins.size(); i++) {
      int end = i + 1 < begins.size() ? begins.get(i + 1) : lines.size();
      add(file, lines.subList(begins.get(i), end));
    }
    return begins.size();
  }

  private void add(Path file, List<String> lines) throws IOException {
    // The reader takes each line by its end.
    byte[] content = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    long read = 0;
    try (var reader = new HistogramLogReader(new ByteArrayInputStream(content))) {
      for (EncodableHistogram each = reader.nextIntervalHistogram();
          each != null;
          each = reader.nextIntervalHistogram()) {
        read++;
        add(file, each);
      }
    } catch (RuntimeException e) {
      // So the reader says that a line is none of its own.
      throw new IOException(file + " is no interval log of HdrHistogram: " + e.getMessage(), e);
    }
    long held = lines.stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("\""))
        .count();
    if (read != held) {
      // The reader takes a line that is cut off for the end.
      throw new IOException(
          file + " is damaged: of its " + held + " intervals only " + read + " can be read");
    }
    logs++;
  }

  private void add(Path file, EncodableHistogram read) throws IOException {
    if (!(read instanceof Histogram histogram)) {
      throw new IOException(file + " holds histograms of real numbers, which are not added");
    }
    @Nullable String named = histogram.getTag();
    String tag = named == null ? "" : named;
    Histogram sum = sums.get(tag);
    if (sum == null) {
      Histogram empty = histogram.copy();
      empty.reset();
      empty.setAutoResize(true);
      sum = empty;
      sums.put(tag, sum);
    }
    requireAlike(file, sum, histogram);
    sum.add(histogram);
    first = Math.min(first, histogram.getStartTimeStamp());
    long middle = (histogram.getStartTimeStamp() + histogram.getEndTimeStamp()) / 2;
    Map<String, Line> second =
        seconds.computeIfAbsent(Math.floorDiv(middle, 1_000L), _ -> new LinkedHashMap<>());
    Line line = second.get(tag);
    if (line == null) {
      histogram.setAutoResize(true);
      second.put(tag, new Line(histogram));
    } else {
      line.add(histogram);
    }
  }

  /** Others would be added only as precisely as the coarser of the two is. */
  private static void requireAlike(Path file, Histogram sum, Histogram other) throws IOException {
    if (sum.getLowestDiscernibleValue() != other.getLowestDiscernibleValue()
        || sum.getNumberOfSignificantValueDigits() != other.getNumberOfSignificantValueDigits()) {
      throw new IOException(file + " was recorded with another precision than the logs before it");
    }
  }

  /** How many logs were added. */
  public int logs() {
    return logs;
  }

  /** All that the logs hold under each tag. */
  public Map<String, Latency> latencies() {
    var latencies = new LinkedHashMap<String, Latency>();
    sums.forEach((tag, sum) -> latencies.put(tag, Latency.ofNanos(sum)));
    return latencies;
  }

  /** How many values the logs hold under a tag. */
  public long count(String tag) {
    Histogram sum = sums.get(tag);
    return sum == null ? 0 : sum.getTotalCount();
  }

  /**
   * Writes the sum as one log.
   *
   * @throws IOException when something could not be written
   */
  public void write(OutputStream out) throws IOException {
    PrintStream text = new PrintStream(out, false, StandardCharsets.UTF_8);
    HistogramLogWriter writer = new HistogramLogWriter(text);
    writer.outputLogFormatVersion();
    writer.outputComment("[" + logs + " logs merged]");
    if (!seconds.isEmpty()) {
      writer.outputBaseTime(first);
      writer.outputStartTime(first);
    }
    writer.outputLegend();
    for (Map<String, Line> second : seconds.values()) {
      second.forEach((tag, line) -> {
        line.sum.setTag(tag.isEmpty() ? null : tag);
        writer.outputIntervalHistogram(
            (line.begin - first) / 1e3, (line.end - first) / 1e3, line.sum, NANOS_IN_MILLI);
      });
    }
    if (text.checkError()) {
      throw new IOException("the merged log could not be written");
    }
  }
}
