package heddle.load.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.record.IntervalLog;
import heddle.load.record.Stripes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogMergeTest {

  private static final long SECOND = 1_000_000_000L;

  @TempDir
  private Path folder;

  @Test
  void linesOfTheSumAddUpToExactlyWhatAllLogsHold() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Stripes all = Stripes.single();
    LogMerge merge = new LogMerge();
    for (int log = 0; log < 3; log++) {
      Stripes own = Stripes.single();
      Path file = folder.resolve(log + ".hlog");
      try (var out = Files.newOutputStream(file)) {
        IntervalLog written = new IntervalLog(out);
        written.add("response", own::snapshot);
        written.begin("a test", 0);
        for (int second = 1; second <= 5 + log; second++) {
          for (int i = 0; i < 200; i++) {
            long nanos = (long) Math.exp(random.nextDouble() * 22);
            own.record(nanos);
            all.record(nanos);
          }
          written.tick(second * SECOND + random.nextInt(200_000_000));
        }
        written.end((6 + log) * SECOND);
        written.close();
      }
      assertTrue(LogMerge.isLog(file));
      merge.add(file);
    }
    List<Histogram> lines = write(merge);
    Histogram sum = Stripes.single().snapshot();
    lines.forEach(sum::add);
    assertEquals(all.snapshot(), sum, "seed " + seed);
    assertEquals(3_600, merge.count("response"), "seed " + seed);
    assertEquals(
        all.snapshot().getMaxValue() / 1e3, merge.latencies().get("response").max());
  }

  @Test
  void intervalsAreAlignedByTheClock() throws IOException {
    // The same two seconds, told from bases that lie 1.4 s apart.
    LogMerge merge = new LogMerge();
    merge.add(log("a.hlog", 1_000_000_000_000L, 0.1, 1.1));
    merge.add(log("b.hlog", 999_999_998_600L, 1.5, 2.5));
    List<Histogram> lines = write(merge);
    assertEquals(2, lines.size());
    assertEquals(1_000_000_000_100L, lines.get(0).getStartTimeStamp());
    assertEquals(1_000_000_001_100L, lines.get(0).getEndTimeStamp());
    assertEquals(1_000_000_001_100L, lines.get(1).getStartTimeStamp());
    assertEquals(List.of(2L, 2L), lines.stream().map(Histogram::getTotalCount).toList());
    assertEquals("t", lines.getFirst().getTag());
  }

  @Test
  void damagedAndForeignLogsAreNamed() throws IOException {
    Path good = log("good.hlog", 1_000_000_000_000L, 0, 1);
    String text = Files.readString(good);
    Path torn =
        Files.writeString(folder.resolve("torn.hlog"), text.substring(0, text.length() - 20));
    Path cut =
        Files.writeString(folder.resolve("cut.hlog"), text.strip().replaceAll(",[^,]*$", ""));
    Path other = Files.writeString(folder.resolve("other.hlog"), "a, b, c\n");
    for (Path each : List.of(torn, cut, other, folder.resolve("none.hlog"))) {
      String message =
          assertThrows(IOException.class, () -> new LogMerge().add(each)).getMessage();
      assertTrue(message.contains(String.valueOf(each.getFileName())), message);
    }
  }

  private List<Histogram> write(LogMerge merge) throws IOException {
    Path file = folder.resolve("sum.hlog");
    try (var out = Files.newOutputStream(file)) {
      merge.write(out);
    }
    List<Histogram> lines = new ArrayList<>();
    try (var reader = new HistogramLogReader(file.toFile())) {
      for (var each = reader.nextIntervalHistogram();
          each != null;
          each = reader.nextIntervalHistogram()) {
        lines.add((Histogram) each);
      }
    }
    return lines;
  }

  /** An interval of a second from each of the instants on, with one value in each. */
  private Path log(String name, long baseMillis, double... begins) throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new HistogramLogWriter(new PrintStream(out, true, StandardCharsets.UTF_8));
    writer.outputLogFormatVersion();
    writer.outputBaseTime(baseMillis);
    writer.outputLegend();
    Histogram one = Stripes.single().snapshot();
    one.recordValue(1_000_000);
    one.setTag("t");
    for (double begin : begins) {
      writer.outputIntervalHistogram(begin, begin + 1, one, 1e6);
    }
    return Files.write(folder.resolve(name), out.toByteArray());
  }
}
