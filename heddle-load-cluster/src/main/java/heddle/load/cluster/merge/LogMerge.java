package heddle.load.cluster.merge;

import heddle.load.record.Latency;
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
 * Adds interval logs ({@code .hlog}) of processes that ran at the same time. Intervals are combined
 * by the second of the clock that contains their middle; a line of the sum covers the time from the
 * first begin to the last end of its parts. The lines of a tag add up to exactly the contents of
 * all logs. Used by one thread.
 */
public final class LogMerge {

  private static final double NANOS_IN_MILLI = 1e6;

  private static final String BEGINNING = "#[Histogram log format";

  private final Map<String, Histogram> sums = new LinkedHashMap<>();
  private final TreeMap<Long, Map<String, Line>> seconds = new TreeMap<>();
  private long first = Long.MAX_VALUE;
  private int logs;

  /** Creates a merge without logs. */
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

  /** Whether the file has the name of an interval log. */
  public static boolean isLog(Path file) {
    return file.toString().endsWith(".hlog");
  }

  /**
   * Adds a log.
   *
   * @throws IOException if it cannot be read, is not a log or is damaged; the message names it
   */
  public void add(Path file) throws IOException {
    List<String> lines = LoadJson.lines(file);
    if (addSections(file, lines) == 0) {
      add(file, lines);
    }
  }

  /**
   * Adds all logs in a file that has other lines too, such as the output of {@code kubectl logs}.
   *
   * @return the number of logs
   * @throws IOException if the file cannot be read, or a log in it is damaged
   */
  public int addThoseIn(Path file) throws IOException {
    List<String> own = LoadJson.lines(file).stream().filter(LogMerge::isOfLog).toList();
    return addSections(file, own);
  }

  private static boolean isOfLog(String line) {
    return line.startsWith("#[") || line.startsWith("\"StartTimestamp") || line.startsWith("Tag=");
  }

  /** Each log begins with a header line, and has its own start time. */
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
    // The reader needs a line feed at the end of each line.
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
      // The reader throws this if a line is malformed.
      throw new IOException(file + " is not an interval log of HdrHistogram: " + e.getMessage(), e);
    }
    long held = lines.stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("\""))
        .count();
    if (read != held) {
      // The reader treats a truncated line as the end.
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

  /** Histograms of different precision would be added with the coarser one. */
  private static void requireAlike(Path file, Histogram sum, Histogram other) throws IOException {
    if (sum.getLowestDiscernibleValue() != other.getLowestDiscernibleValue()
        || sum.getNumberOfSignificantValueDigits() != other.getNumberOfSignificantValueDigits()) {
      throw new IOException(file + " was recorded with another precision than the logs before it");
    }
  }

  /** The number of logs added. */
  public int logs() {
    return logs;
  }

  /** The contents of all logs by tag. */
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
   * @throws IOException if it could not be written
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
