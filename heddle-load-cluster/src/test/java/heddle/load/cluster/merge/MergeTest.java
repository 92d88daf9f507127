package heddle.load.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadReport;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.record.Distribution;
import heddle.load.record.FailureKind;
import heddle.load.record.GeneratorCost;
import heddle.load.record.Stripes;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Stage;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeTest {

  private static final Instant BEGIN = Instant.parse("2026-05-01T12:00:00Z");
  private static final Map<String, Object> TARGET = Map.of("url", "http://127.0.0.1/");
  private static final LoadShape OPEN =
      new LoadShape(new Pace.Open(100, 8, Pace.Arrivals.POISSON), new Extent.Requests(400));

  @TempDir
  private Path folder;

  @Test
  void sumIsWhatOneProcessWouldHaveRecorded() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Stripes all = Stripes.single();
    List<LoadResult> parts = new ArrayList<>();
    for (int index = 1; index <= 4; index++) {
      Stripes own = Stripes.single();
      for (int i = 0; i < 1_000 * index; i++) {
        long nanos = (long) Math.exp(random.nextDouble() * 24);
        own.record(nanos);
        all.record(nanos);
      }
      parts.add(reread(result(OPEN, new Segment(index, 4), own, BEGIN, List.of(), "")));
    }
    LoadReport merged = Merge.of(parts, false).report();
    Distribution one = Distribution.of(all.snapshot());
    assertEquals(all.snapshot(), merged.distributions().response().histogram(), "seed " + seed);
    assertEquals(one.latency(), merged.latency(), "seed " + seed);
    assertEquals(one.latency(), merged.service(), "seed " + seed);
    assertEquals(one.latency(), merged.sendLag(), "seed " + seed);
    assertEquals(10_000, merged.answered());
    assertEquals(Segment.WHOLE, merged.shape().segment());
    assertFalse(merged.isPartial());
    assertTrue(merged.isValid(), merged.doubts()::toString);
  }

  @Test
  void whatIsReadIsWhatWasWritten() throws IOException {
    List<LoadShape> shapes = List.of(
        OPEN,
        new LoadShape(
            new Pace.Open(
                new RateCurve(List.of(
                    new Stage(0, 33.3, Duration.ofMillis(1_001)),
                    new Stage(33.3, 7, Duration.ofNanos(123_456_789)))),
                Pace.Arrivals.CONSTANT,
                Long.MAX_VALUE,
                5,
                7),
            new Extent.Lasting(Duration.ofNanos(7_777_777_777L)),
            Duration.ofMillis(333),
            new Strand.Pool(9)),
        new LoadShape(
            new Pace.Closed(7, Think.exponential(Duration.ofMillis(3), -5)),
            new Extent.Requests(1L << 40)),
        new LoadShape(new Pace.Batch(12), new Extent.Requests(30)),
        new LoadShape(new Pace.Held(12), new Extent.Lasting(Duration.ofSeconds(1))));
    for (LoadShape shape : shapes) {
      LoadResult written = result(
          shape,
          new Segment(2, 5),
          values(3, 5),
          BEGIN,
          List.of(new ErrorCause(FailureKind.CLIENT_LIMIT, "connect", "Busy", 3, "so it said")),
          "it was stopped");
      LoadResult read = reread(written);
      assertEquals(written.report(), read.report());
      assertEquals(written.target(), read.target());
    }
  }

  @Test
  void causesAreAddedAndTheRateIsThatOfAll() throws IOException {
    ErrorCause refused = new ErrorCause(FailureKind.REFUSED, "connect", "Refused", 3, "no");
    ErrorCause reset = new ErrorCause(FailureKind.RESET, "", "Reset", 4, "");
    LoadReport merged = Merge.of(
            List.of(
                result(OPEN, new Segment(2, 2), values(200), BEGIN, List.of(refused, reset), ""),
                result(OPEN, new Segment(1, 2), values(200), BEGIN, List.of(refused), "")),
            false)
        .report();
    assertEquals(
        List.of(new ErrorCause(FailureKind.REFUSED, "connect", "Refused", 6, "no"), reset),
        merged.errors());
    // 400 at 100 a second: the last one stands for the interval that follows it.
    assertEquals(100, merged.requestsPerSecond(), 1e-9);
    GeneratorCost cost = merged.generator();
    assertEquals(Duration.ofSeconds(2), cost == null ? null : cost.cpu());
    assertEquals(4, cost == null ? 0 : cost.cores(), "two processes on one machine");
  }

  @Test
  void batchesAndHeldRequestsAreAdded() {
    LoadShape batches = new LoadShape(new Pace.Batch(12), new Extent.Requests(30));
    LoadReport.Batches inAll = Merge.of(
            List.of(
                result(batches, new Segment(1, 2), values(1, 2), BEGIN, List.of(), ""),
                result(batches, new Segment(2, 2), values(3), BEGIN, List.of(), "")),
            false)
        .report()
        .batches();
    assertEquals(3, inAll == null ? 0 : inAll.count());
    assertEquals(18, inAll == null ? 0 : inAll.requests());
    assertEquals(3_000, inAll == null ? 0 : inAll.completion().max(), 5);
    LoadShape held = new LoadShape(new Pace.Held(10), new Extent.Lasting(Duration.ofSeconds(4)));
    LoadReport.Held all = Merge.of(
            List.of(
                result(held, new Segment(1, 2), values(1), BEGIN, List.of(), ""),
                result(held, new Segment(2, 2), values(1), BEGIN, List.of(), "")),
            false)
        .report()
        .held();
    assertEquals(10, all == null ? 0 : all.asked());
    assertEquals(6, all == null ? 0 : all.atEnd());
    String why = all == null ? "" : all.why();
    assertTrue(why.contains("segment 2/2: they ended") && why.contains("different times"), why);
  }

  @Test
  void segmentsThatDidNotBeginTogetherAreInDoubt() {
    LoadReport merged = Merge.of(
            List.of(
                result(OPEN, new Segment(1, 2), values(200), BEGIN, List.of(), ""),
                result(OPEN, new Segment(2, 2), values(200), BEGIN.plusSeconds(3), List.of(), "")),
            false)
        .report();
    assertFalse(merged.isValid());
    assertTrue(merged.doubts().getFirst().contains("3.0 s apart"), merged.doubts()::toString);
    assertEquals(Duration.ofSeconds(7), merged.duration());
  }

  @Test
  void processesOnOneMachineAreInDoubtWhereTheyTogetherUsedAllOfIt() {
    GeneratorCost half = new GeneratorCost(
        Duration.ofSeconds(4),
        Duration.ofSeconds(2),
        1,
        Duration.ZERO,
        Duration.ZERO,
        Duration.ZERO);
    List<LoadResult> parts = new ArrayList<>();
    for (int index = 1; index <= 2; index++) {
      LoadResult part =
          result(OPEN, new Segment(index, 2), values(200), BEGIN, List.of(), "", half);
      parts.add(part);
    }
    List<String> doubts = Merge.of(parts, false).report().doubts();
    assertTrue(doubts.getFirst().contains("2 segments on host"), doubts::toString);
  }

  @Test
  void resultsThatDoNotBelongTogetherAreRefused() {
    LoadResult one = result(OPEN, new Segment(1, 3), values(1), BEGIN, List.of(), "");
    LoadResult two = result(OPEN, new Segment(2, 3), values(1), BEGIN, List.of(), "");
    refused(List.of(one, two), "segment 3/3 is missing", "--partial");
    refused(List.of(one), "segments 2/3, 3/3 are missing");
    refused(List.of(one, two, two), "both segment 2/3", "part 2/3");
    LoadShape faster =
        new LoadShape(new Pace.Open(200, 8, Pace.Arrivals.POISSON), new Extent.Requests(400));
    refused(
        List.of(one, result(faster, new Segment(2, 3), values(1), BEGIN, List.of(), "")),
        "another load",
        "pace.rate[0].from is 200.0, not 100.0");
    refused(
        List.of(one, result(OPEN, new Segment(2, 4), values(1), BEGIN, List.of(), "")),
        "segment 2/4",
        "segment 1/3");
    LoadResult whole = result(OPEN, Segment.WHOLE, values(1), BEGIN, List.of(), "");
    refused(List.of(whole, whole), "both a whole load");
    refused(List.of(), "no result");
  }

  @Test
  void missingSegmentsMakeAPartialResultWhereThatIsAllowed() {
    LoadReport merged = Merge.of(
            List.of(
                result(OPEN, new Segment(1, 3), values(1), BEGIN, List.of(), ""),
                result(OPEN, new Segment(3, 3), values(1), BEGIN, List.of(), "it was stopped")),
            true)
        .report();
    assertTrue(merged.isPartial());
    assertEquals("segment 2/3 is missing; segment 3/3: it was stopped", merged.cutShort());
  }

  @Test
  void wholeLoadAloneStaysWhatItIs() {
    LoadResult whole = result(OPEN, Segment.WHOLE, values(1), BEGIN, List.of(), "it was stopped");
    assertEquals("it was stopped", Merge.of(List.of(whole), false).report().cutShort());
  }

  @Test
  void lostProcessIsNamedWithTheReason() {
    LoadResult merged = Merge.of(
        List.of(result(OPEN, new Segment(1, 2), values(1), BEGIN, List.of(), "")),
        Segment.WHOLE,
        2,
        Map.of(new Segment(2, 2), "it ended with exit code 137"));
    assertEquals(
        "segment 2/2 is missing: it ended with exit code 137", merged.report().cutShort());
  }

  @Test
  void segmentMadeBySeveralProcessesCanBeMergedWithTheOthers() throws IOException {
    Segment first = new Segment(1, 2);
    LoadResult machine = Merge.of(
        List.of(
            result(OPEN, first.part(1, 2), values(3), BEGIN, List.of(), ""),
            result(OPEN, first.part(2, 2), values(4, 5), BEGIN, List.of(), "")),
        first,
        2,
        Map.of());
    LoadResult other = result(OPEN, new Segment(2, 2), values(6), BEGIN, List.of(), "");
    LoadResult all = Merge.of(List.of(reread(machine), other), false);
    assertEquals(4, all.report().answered());
    assertEquals(3, all.processes());
  }

  @Test
  void resultsAreFoundAmongTheLinesOfALog() throws IOException {
    var log = new StringBuilder("some pod says hello\n");
    for (int index = 1; index <= 3; index++) {
      var line = new ByteArrayOutputStream();
      LoadJson.writeLine(
          result(OPEN, new Segment(index, 3), values(index), BEGIN, List.of(), ""),
          List.of(),
          line);
      log.append("[pod/x-")
          .append(index)
          .append("/load] ")
          .append(line.toString(StandardCharsets.UTF_8));
      log.append("[pod/x-").append(index).append("/load] 1 answered\n");
    }
    Path file = Files.writeString(folder.resolve("all.log"), log);
    assertEquals(3, Merge.of(LoadJson.read(file), false).report().answered());
    Files.writeString(file, log.substring(0, log.lastIndexOf("histograms")));
    String message = assertThrows(IOException.class, () -> LoadJson.read(file)).getMessage();
    assertTrue(message.contains("all.log:6") && message.contains("an incomplete one"), message);
  }

  @Test
  void filesThatAreNoResultsAreNamedWithWhatIsWrong() throws IOException {
    bad("no.json", "", "not a JSON object");
    bad("list.json", "[1]", "not a JSON object");
    bad("race.json", "{\"format\": \"heddle-race\"}", "heddle-load");
    var out = new ByteArrayOutputStream();
    LoadJson.write(
        result(OPEN, new Segment(1, 3), values(1), BEGIN, List.of(), ""), List.of(), out);
    String good = out.toString(StandardCharsets.UTF_8);
    bad("old.json", good.replace("\"version\" : 2", "\"version\" : 9"), "version 9");
    bad("lack.json", good.replace("\"segment\"", "\"part\""), "segment");
    bad("odd.json", good.replace("\"answered\" : 1", "\"answered\" : 2"), "2 were answered");
    bad("torn.json", good.replaceFirst("(\"response\" : \").{20}", "$1"), "histograms.response");
    String missing = assertThrows(
            IOException.class, () -> LoadJson.read(folder.resolve("none.json")))
        .getMessage();
    assertTrue(missing.contains("none.json: there is no such file"), missing);
  }

  private void bad(String name, String text, String why) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    String message = assertThrows(IOException.class, () -> LoadJson.read(file)).getMessage();
    assertTrue(message.contains(name) && message.contains(why), message);
  }

  private static void refused(List<LoadResult> parts, String... why) {
    String message = assertThrows(IllegalArgumentException.class, () -> Merge.of(parts, false))
        .getMessage();
    for (String each : why) {
      assertTrue(message.contains(each), message);
    }
  }

  private static LoadResult reread(LoadResult result) throws IOException {
    var out = new ByteArrayOutputStream();
    LoadJson.write(result, List.of(), out);
    return LoadJson.read("written", out.toString(StandardCharsets.UTF_8));
  }

  private static Stripes values(int... millis) {
    Stripes values = Stripes.single();
    if (millis.length == 1 && millis[0] >= 100) {
      // All equal.
      for (int i = 0; i < millis[0]; i++) {
        values.record(1_000_000);
      }
      return values;
    }
    for (int each : millis) {
      values.record(each * 1_000_000L);
    }
    return values;
  }

  private static LoadResult result(
      LoadShape shape,
      Segment segment,
      Stripes values,
      Instant begin,
      List<ErrorCause> errors,
      String cutShort) {
    GeneratorCost cost = new GeneratorCost(
        Duration.ofSeconds(4),
        Duration.ofSeconds(1),
        4,
        Duration.ZERO,
        Duration.ofMillis(3),
        Duration.ofMillis(2));
    return result(shape, segment, values, begin, errors, cutShort, cost);
  }

  private static LoadResult result(
      LoadShape shape,
      Segment segment,
      Stripes values,
      Instant begin,
      List<ErrorCause> errors,
      String cutShort,
      GeneratorCost cost) {
    Distribution all = Distribution.of(values.snapshot());
    boolean isBatch = shape.pace() instanceof Pace.Batch;
    boolean isHeld = shape.pace() instanceof Pace.Held;
    var batches = new LoadReport.Batches(
        values.count(), 5, 9, Duration.ofMillis(7), all.latency(), all.latency());
    var held =
        new LoadReport.Held(5, 5, 4, 3, Duration.ofMillis(3), Duration.ofMillis(2), "they ended");
    var report = new LoadReport(
        shape.withSegment(segment),
        Duration.ofSeconds(4),
        values.count(),
        7,
        12.5,
        all.latency(),
        all.latency(),
        all.latency(),
        errors,
        2,
        cutShort,
        List.of(),
        cost,
        isBatch ? batches : null,
        isHeld ? held : null,
        new LoadReport.Distributions(
            all, all, all, isBatch ? all : Distribution.EMPTY, isBatch ? all : Distribution.EMPTY),
        new LoadReport.Sending(begin, values.count(), 3.98));
    return new LoadResult("part " + segment, TARGET, report, "host", 1);
  }
}
