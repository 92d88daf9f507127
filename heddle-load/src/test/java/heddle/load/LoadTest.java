package heddle.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.load.record.FailureKind;
import heddle.load.record.GeneratorCost;
import heddle.load.record.IntervalLog;
import heddle.load.record.Validity;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Stage;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import heddle.load.schedule.Timing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadTest {

  private static final Answer HELLO = new Answer(200, 6);
  private static final int ENOUGH = 20;
  private static final Duration LONG = Duration.ofSeconds(50);

  private final CountDownLatch never = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private volatile CountDownLatch enough = new CountDownLatch(1);
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private Answer answer() {
    if (begun.incrementAndGet() == ENOUGH) {
      enough.countDown();
    }
    threads.add(Thread.currentThread());
    return HELLO;
  }

  private Answer stall() throws InterruptedException {
    begun.incrementAndGet();
    never.await();
    return HELLO;
  }

  @Test
  void requestsRunOnTheStrandThatIsAskedFor() throws Exception {
    Load.of(this::answer)
        .rate(5_000)
        .requests(40)
        .strand(Strand.VIRTUAL)
        .maxLag(LONG)
        .run();
    assertEquals(40, threads.size());
    assertTrue(threads.stream().allMatch(Thread::isVirtual));
    threads.clear();
    Load.of(this::answer).rate(5_000).requests(40).strand(new Strand.Platform()).run();
    assertEquals(40, threads.size());
    assertTrue(threads.stream().noneMatch(Thread::isVirtual));
    threads.clear();
    Load.of(this::answer).callers(6).requests(400).strand(new Strand.Platform()).run();
    assertTrue(threads.size() <= 6 && threads.stream().noneMatch(Thread::isVirtual));
    threads.clear();
    LoadReport pooled = Load.of(this::answer)
        .callers(6)
        .requests(400)
        .strand(new Strand.Pool(3))
        .run();
    assertEquals(400, pooled.answered());
    assertTrue(threads.size() <= 3 && threads.stream().noneMatch(Thread::isVirtual));
  }

  @Test
  void codeThatAnswersLaterIsPutUnderLoadToo() throws Exception {
    LoadReport report = Load.ofAsync(
            completion -> Thread.ofPlatform().start(() -> completion.answered(answer())))
        .callers(3)
        .requests(40)
        .run();
    assertEquals(40, report.answered());
    assertEquals(40, begun.get());
  }

  @Test
  void strandsAreReadAsTheyAreWritten() {
    for (String text : List.of("virtual", "thread", "pool:200")) {
      assertEquals(text, Strand.parse(text).toString());
    }
    for (String text : List.of("", "pool", "pool:0", "pool:x", "fibers")) {
      assertThrows(IllegalArgumentException.class, () -> Strand.parse(text));
    }
  }

  @Test
  void whatGoesBeyondTheBoundIsDroppedAndCounted() throws Exception {
    Load load = Load.of(this::stall).rate(20_000).maxInFlight(10).requests(100).maxLag(LONG);
    LoadReport report = load.patience(Duration.ofMillis(50)).run();
    assertEquals(10, begun.get());
    assertEquals(90, report.dropped());
    assertEquals(0, report.answered());
    assertEquals(FailureKind.UNANSWERED, report.errors().getFirst().kind());
    assertEquals(10, report.errors().getFirst().count());
  }

  @Test
  void stagesAreSentToTheirEnd() throws Exception {
    RateCurve curve = new RateCurve(List.of(
        new Stage(0, 1_000, Duration.ofMillis(100)), Stage.steady(500, Duration.ofMillis(100))));
    LoadReport report =
        Load.of(this::answer).rate(curve).poisson().lasting(curve.duration()).run();
    // The area is 100; a Poisson number with that mean is within 60 of it but once in a billion.
    assertTrue(Math.abs(report.answered() - 100) < 60, () -> "" + report.answered());
    assertEquals(begun.get(), report.answered());
  }

  @Test
  void callersThinkBetweenTheirRequests() throws Exception {
    Duration pause = Duration.ofMillis(40);
    LoadReport report =
        Load.of(this::answer).callers(5, Think.constant(pause)).requests(15).run();
    // Each of 5 callers sends some 3 times; even the busiest thinks twice in between, and all
    // together no more often than their number allows.
    assertEquals(15, report.answered());
    assertTrue(report.duration().compareTo(pause.multipliedBy(2)) >= 0, report::toString);
    assertTrue(report.latency().p50() < 40_000, report::toString);
  }

  @Test
  void batchIsWaitedForAsLongAsAnswersArrive() throws Exception {
    Load load = Load.of(() -> {
          LockSupport.parkNanos(100_000_000);
          return HELLO;
        })
        .batches(20)
        .requests(20)
        .strand(new Strand.Pool(1));
    LoadReport report = load.patience(Duration.ofMillis(1_500)).run();
    assertEquals(20, report.answered());
    LoadReport stalled = Load.of(this::stall)
        .batches(5)
        .requests(5)
        .patience(Duration.ofMillis(50))
        .run();
    assertEquals(0, stalled.answered());
    assertEquals(FailureKind.UNANSWERED, stalled.errors().getFirst().kind());
    assertEquals(5, stalled.failed());
  }

  @Test
  void batchIsWaitedForBeforeTheNext() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Load load = Load.of(() -> {
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
      LockSupport.parkNanos(2_000_000);
      running.decrementAndGet();
      return HELLO;
    });
    LoadReport report = load.batches(20).requests(50).run();
    LoadReport.Batches batches = report.batches();
    assertNotNull(batches);
    assertEquals(3, batches.count());
    assertEquals(50, report.answered());
    assertTrue(most.get() <= 20, "at once: " + most);
    assertTrue(batches.completion().p50() >= batches.handOver().p50());
    assertTrue(batches.completion().p50() >= 2_000, batches::toString);
    assertTrue(report.latency().max() >= report.service().p50());
  }

  @Test
  void requestsAreHeldUntilTheTimeIsUpAndTheirEndIsNoFailure() throws Exception {
    Load load = Load.of(this::stall).held(300).lasting(Duration.ofMillis(300));
    LoadReport report = load.run();
    LoadReport.Held held = report.held();
    assertNotNull(held);
    assertEquals(300, held.most());
    assertEquals(300, held.atEnd());
    assertEquals("", held.why());
    assertEquals(0, report.failed());
  }

  @Test
  void generatorThatStandsStillWhileRequestsPileUpIsNotDoubted() {
    Duration stalled = Duration.ofSeconds(4);
    GeneratorCost cost =
        new GeneratorCost(stalled.multipliedBy(2), stalled, 1, stalled, stalled, stalled);
    assertEquals(List.of(), LoadRun.doubts(new Pace.Held(9), cost, Validity.DEFAULT, 0));
    String doubts = LoadRun.doubts(new Pace.Batch(9), cost, Validity.DEFAULT, 0).toString();
    assertTrue(doubts.contains("stood still for 4000 ms"), doubts);
  }

  @Test
  void requestsThatFindNoStrandAreNotTakenForAnswered() throws Exception {
    Load load = Load.of(this::stall).held(30).lasting(Duration.ofMillis(500));
    LoadReport.Held held = load.strand(new Strand.Pool(20)).run().held();
    assertNotNull(held);
    assertEquals(20, held.most());
    assertEquals("10 still waited for a thread", held.why());
  }

  @Test
  void holdingEndsWhereMostFailAndSaysWhy() throws Exception {
    AtomicInteger left = new AtomicInteger(50);
    Load load = Load.of(() -> {
      if (left.decrementAndGet() < 0) {
        throw new IOException("too many open files");
      }
      return stall();
    });
    LoadReport report =
        load.held(1_000_000).lasting(LONG).strand(new Strand.Platform()).run();
    LoadReport.Held held = report.held();
    assertNotNull(held);
    assertTrue(held.begun() < 1_000_000, held::toString);
    assertTrue(held.most() >= 50, held::toString);
    assertTrue(held.why().contains("failed, such as: too many open files"), held::toString);
    assertEquals("too many open files", report.errors().getFirst().example());
  }

  @Test
  void stoppedLoadReportsWhatItHasMeasuredAsPartial() throws Exception {
    for (boolean open : new boolean[] {false, true}) {
      Load load = Load.of(this::answer).lasting(LONG).maxLag(LONG);
      if (open) {
        load.rate(1_000);
      }
      begun.set(0);
      enough = new CountDownLatch(1);
      // On a platform thread: callers that never wait would leave no carrier to a virtual one.
      Thread.ofPlatform().start(() -> {
        try {
          enough.await();
          load.stop();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      });
      LoadReport report = load.run();
      assertTrue(report.isPartial());
      assertEquals("it was stopped", report.cutShort());
      assertTrue(report.answered() > 0);
      assertTrue(report.duration().compareTo(LONG) < 0);
    }
  }

  @Test
  void loadThatNobodyAnswersEndsInTime() throws Exception {
    Load load = Load.of(this::stall).callers(3).requests(1_000);
    LoadReport report = load.patience(Duration.ofMillis(400)).run();
    assertTrue(report.isPartial());
    assertTrue(report.cutShort().contains("0.4 s"), report::cutShort);
    assertEquals(3, report.failed());
    Load lasting = Load.of(this::stall).callers(3).lasting(Duration.ofMillis(100));
    LoadReport brief = lasting.patience(Duration.ofMillis(50)).run();
    assertFalse(brief.isPartial());
    assertEquals(FailureKind.UNANSWERED, brief.errors().getFirst().kind());
    assertEquals(3, brief.failed());
  }

  @Test
  void generatorThatFallsBehindIsNotPrintedAsIfItWereTrue() throws Exception {
    // Nothing on this machine starts a million threads a second.
    Load load = Load.of(this::answer).rate(1_000_000).requests(3_000);
    LoadReport report = load.strand(new Strand.Platform()).run();
    assertFalse(report.isValid());
    assertTrue(
        report.doubts().getFirst().contains("late"), () -> report.doubts().toString());
  }

  @Test
  void asynchronousClientThatAcceptsOneRequestAtATimeIsAResult() throws Exception {
    assertEquals(List.of(), slowlyAccepted().measuringTheClient().run().doubts());
    String doubts = slowlyAccepted().run().doubts().toString();
    assertTrue(doubts.contains("late"), doubts);
  }

  /** A client that blocks its caller for 20 ms, until it has room for the request. */
  private Load slowlyAccepted() {
    PacedTime time = new PacedTime(0);
    return Load.ofAsync(completion -> {
          time.now.addAndGet(20_000_000);
          completion.answered(answer());
        })
        .rate(500)
        .requests(30)
        .timing(time);
  }

  @Test
  void blockingClientWithOneConnectionIsAResult() throws Exception {
    Semaphore connection = new Semaphore(1);
    Load load = Load.of(() -> {
      connection.acquire();
      try {
        LockSupport.parkNanos(5_000_000);
        return answer();
      } finally {
        connection.release();
      }
    });
    LoadReport report = load.rate(1_000)
        .requests(30)
        .measuringTheClient()
        .timing(new PacedTime(0))
        .run();
    assertEquals(List.of(), report.doubts());
    assertEquals(30, report.answered());
    // The clock stands still after the last request, which was on time.
    assertEquals(1_000, report.requestsPerSecond(), 50);
  }

  @Test
  void rateOfAClientThatAcceptsEarlyAndAnswersLateIsThatOfItsAnswers() throws Exception {
    for (boolean measured : new boolean[] {true, false}) {
      PacedTime time = new PacedTime(0);
      List<Completion> accepted = new ArrayList<>();
      Load load = Load.ofAsync(completion -> {
            accepted.add(completion);
            if (accepted.size() == 30) {
              // The first answer takes no time, and each further one 10 ms.
              for (Completion each : accepted.reversed()) {
                each.answered(HELLO);
                time.now.addAndGet(10_000_000);
              }
            }
          })
          .rate(1_000)
          .requests(30)
          .timing(time);
      LoadReport report = (measured ? load.measuringTheClient() : load).run();
      assertEquals(measured ? 91 : 1_000, report.requestsPerSecond(), 5);
    }
  }

  @Test
  void generatorThatWakesLateIsDoubtedAlsoIfTheClientIsMeasured() throws Exception {
    // The thread that keeps the pace gets no CPU for 60 ms at a time, and nothing else uses it.
    LoadReport report = Load.ofAsync(completion -> completion.answered(answer()))
        .rate(10)
        .requests(5)
        .measuringTheClient()
        .timing(new PacedTime(60_000_000))
        .run();
    String doubts = report.doubts().toString();
    assertTrue(doubts.contains("the generator handed over"), doubts);
  }

  /** A clock that moves only when the thread that keeps the pace sleeps. */
  private static final class PacedTime implements Timing {

    private final AtomicLong now = new AtomicLong();
    private final long lateNanos;

    private PacedTime(long lateNanos) {
      this.lateNanos = lateNanos;
    }

    @Override
    public long nanoTime() {
      return now.get();
    }

    @Override
    public void sleepUntil(long nanos) {
      if (nanos > now.get()) {
        now.set(nanos + lateNanos);
        // In real time too, so that the process has CPU time to spare.
        LockSupport.parkNanos(lateNanos);
      }
    }

    @Override
    public Thread startPacing(Runnable pacing) {
      return Timing.system().startPacing(pacing);
    }

    @Override
    public ThreadFactory poolThreads() {
      return Timing.system().poolThreads();
    }
  }

  @Test
  void intervalLogHoldsTheThreeHistogramsOfTheMeasuredPart() throws Exception {
    var out = new ByteArrayOutputStream();
    IntervalLog log = new IntervalLog(out);
    LoadReport report = Load.of(this::answer)
        .rate(2_000)
        .warmUp(Duration.ofMillis(100))
        .requests(2_400)
        .maxLag(LONG)
        .intervalLog(log)
        .run();
    log.close();
    var counts = new TreeMap<String, Long>();
    try (var reader = new HistogramLogReader(new ByteArrayInputStream(out.toByteArray()))) {
      for (EncodableHistogram each = reader.nextIntervalHistogram();
          each != null;
          each = reader.nextIntervalHistogram()) {
        long count = ((Histogram) each).getTotalCount();
        counts.merge(String.valueOf(each.getTag()), count, Long::sum);
      }
    }
    assertEquals(2_400, report.answered());
    assertEquals(2_600, begun.get());
    assertEquals("{lag=2400, response=2400, service=2400}", counts.toString());
  }

  @Test
  void loadWithoutAnEndOrWithPartsThatDoNotGoTogetherIsRefused() {
    assertThrows(IllegalStateException.class, () -> Load.of(this::answer).run());
    assertThrows(IllegalStateException.class, () -> Load.of(this::answer).poisson());
    assertThrows(
        IllegalArgumentException.class,
        () -> Load.of(this::answer).held(3).requests(3).run());
    assertThrows(IllegalArgumentException.class, () -> Load.of(this::answer).callers(0));
  }
}
