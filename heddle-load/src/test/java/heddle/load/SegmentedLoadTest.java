package heddle.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Answer;
import heddle.load.Pace.Arrivals;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Stage;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SegmentedLoadTest {

  @Test
  void segmentsOfAnyScheduleAreTogetherExactlyTheWhole() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Pace.Open pace = randomPace(random);
      Extent extent = random.nextBoolean()
          ? new Extent.Requests(20 + random.nextInt(500))
          : new Extent.Lasting(Duration.ofMillis(1 + random.nextInt(2_000)));
      Duration warmUp =
          random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextInt(300));
      int count = 1 + random.nextInt(9);
      List<Long> all = new ArrayList<>();
      for (int index = 1; index <= count; index++) {
        all.addAll(offsets(pace, extent, warmUp, new Segment(index, count)));
      }
      Collections.sort(all);
      assertEquals(
          offsets(pace, extent, warmUp, Segment.WHOLE),
          all,
          () -> pace + " " + extent + " in " + count + ", seed " + seed);
    }
  }

  private static Pace.Open randomPace(Random random) {
    List<Stage> stages = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      stages.add(new Stage(
          random.nextInt(800),
          1 + random.nextInt(800),
          Duration.ofMillis(1 + random.nextInt(1_000))));
    }
    RateCurve curve = random.nextBoolean()
        ? RateCurve.constant(0.5 + random.nextDouble() * 900)
        : new RateCurve(stages);
    Arrivals arrivals = random.nextBoolean() ? Arrivals.POISSON : Arrivals.CONSTANT;
    return new Pace.Open(curve, arrivals, random.nextLong(), 64, 1_000);
  }

  private static List<Long> offsets(
      Pace.Open pace, Extent extent, Duration warmUp, Segment segment) {
    Schedule schedule = new Schedule(pace, extent, warmUp, segment);
    List<Long> offsets = new ArrayList<>();
    for (long next = schedule.next(); next >= 0; next = schedule.next()) {
      offsets.add(next);
    }
    return offsets;
  }

  @Test
  void callersRequestsAndBatchesAreSharedWithoutRemainder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int count = 1 + random.nextInt(8);
      int size = count + random.nextInt(40);
      long requests = (long) count + random.nextInt(200);
      boolean batches = random.nextBoolean();
      Pace pace = batches ? new Pace.Batch(size) : new Pace.Closed(size);
      int callers = 0;
      long sent = 0;
      for (int index = 1; index <= count; index++) {
        LoadShape shape = new LoadShape(pace, new Extent.Requests(requests))
            .withSegment(new Segment(index, count));
        callers += shape.ownPace().inFlight();
        sent += ((Extent.Requests) shape.ownExtent()).count();
      }
      assertEquals(size, callers, "seed " + seed);
      assertEquals(requests, sent, "seed " + seed);
    }
  }

  @Test
  void eachSegmentOfABatchedLoadSendsItsShareOfEachBatch() throws InterruptedException {
    AtomicInteger sent = new AtomicInteger();
    List<Long> batches = new ArrayList<>();
    for (int index = 1; index <= 3; index++) {
      LoadReport report = Load.of(() -> {
            sent.incrementAndGet();
            return new Answer(200, 1);
          })
          .batches(10)
          .requests(25)
          .segment(new Segment(index, 3))
          .run();
      assertEquals(report.answered(), report.distributions().response().count());
      batches.add(report.distributions().completion().count());
    }
    assertEquals(25, sent.get());
    assertEquals(List.of(3L, 3L, 3L), batches);
  }

  @Test
  void segmentSendsItsShareOfAnOpenAndOfAClosedLoad() throws InterruptedException {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    for (int index = 1; index <= 4; index++) {
      var segment = new Segment(index, 4);
      LoadReport paced =
          counting(open).rate(5_000).requests(101).segment(segment).run();
      assertEquals(segment.share(101), paced.answered());
      assertEquals(segment.share(101), paced.sending().count());
      LoadReport called = counting(closed)
          .callers(6, Think.exponential(Duration.ofNanos(1_000), 1))
          .requests(101)
          .segment(segment)
          .run();
      assertEquals(segment.share(101), called.answered());
      assertEquals(segment, called.shape().segment());
    }
    assertEquals(101, open.get());
    assertEquals(101, closed.get());
  }

  @Test
  void whatCannotBeSharedIsRefused() {
    refused(new Pace.Closed(3), new Extent.Requests(9), "at least 4 callers");
    refused(new Pace.Closed(9), new Extent.Requests(3), "at least 4 requests");
    refused(new Pace.Batch(3), new Extent.Requests(9), "at least 4 requests of a batch");
    refused(
        new Pace.Held(3), new Extent.Lasting(Duration.ofSeconds(1)), "at least 4 requests to hold");
    refused(
        new Pace.Open(RateCurve.constant(1), Arrivals.CONSTANT, 1, 3, 9),
        new Extent.Requests(9),
        "at least 4 connections");
    refused(
        new Pace.Open(RateCurve.constant(1), Arrivals.CONSTANT, 1, 9, 3),
        new Extent.Requests(9),
        "--max-in-flight");
  }

  private static void refused(Pace pace, Extent extent, String why) {
    var segment = new Segment(1, 4);
    String message = assertThrows(
            IllegalArgumentException.class,
            () -> new LoadShape(pace, extent, Duration.ZERO, Strand.VIRTUAL, segment))
        .getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void loadBeginsNoEarlierThanItIsTold() throws InterruptedException {
    AtomicInteger sent = new AtomicInteger();
    Instant begin = Instant.now().plusMillis(300);
    List<Instant> times = new ArrayList<>();
    LoadReport report = Load.of(() -> {
          sent.incrementAndGet();
          times.add(Instant.now());
          return new Answer(200, 1);
        })
        .callers(1)
        .requests(1)
        .startAt(begin)
        .run();
    assertEquals(1, sent.get());
    assertTrue(!times.getFirst().isBefore(begin), times + " before " + begin);
    assertTrue(!report.sending().begin().isBefore(begin), report::toString);
  }

  @Test
  @Timeout(60)
  void loadThatIsStoppedBeforeItBeginsSendsNothing() throws InterruptedException {
    AtomicInteger sent = new AtomicInteger();
    Load load = counting(sent).callers(1).requests(1).startAt(Instant.now().plusSeconds(3_600));
    CountDownLatch running = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> {
      try {
        running.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      load.stop();
    });
    running.countDown();
    LoadReport report = load.run();
    assertTrue(report.isPartial(), report::toString);
    assertEquals(0, sent.get());
    assertTrue(running.await(0, TimeUnit.SECONDS));
  }

  private static Load counting(AtomicInteger sent) {
    return Load.of(() -> {
      sent.incrementAndGet();
      return new Answer(200, 1);
    });
  }
}
