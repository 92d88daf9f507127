package heddle.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import heddle.load.schedule.Strand;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedSessionTest {

  private static final int CALLERS = 4;
  private static final long ANSWER_NANOS = 100_000;
  private static final Answer HELLO = new Answer(200, 6);
  private static final LoadPlan PLAN = new LoadPlan(
      URI.create("http://127.0.0.1:1/hello"),
      new Pace.Closed(CALLERS),
      new Extent.Lasting(Duration.ofMillis(60)));

  private final AtomicLong slowlyRead = new AtomicLong();
  private final CountDownLatch slowIsClosed = new CountDownLatch(1);
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final CountDownLatch answered = new CountDownLatch(200);
  private final Set<Thread> callers = ConcurrentHashMap.newKeySet();

  /** What an exchange does, on a thread that may wait. */
  private volatile Step step = this::answerSoon;

  @FunctionalInterface
  private interface Step {
    Answer take() throws Exception;
  }

  private Answer answerSoon() {
    // An answer takes its time, in which the other callers run.
    LockSupport.parkNanos(ANSWER_NANOS);
    answered.countDown();
    return HELLO;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void windowBeginsOnlyWhenEachCallerHasHadAnAnswer(boolean async) throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    AtomicBoolean lastIsAnswered = new AtomicBoolean();
    AtomicBoolean begunEarly = new AtomicBoolean();
    // One caller gets its first answer when the others have had theirs many times over, as the last
    // of many handshakes on one core does.
    step = () -> {
      if (first.getAndSet(false)) {
        answered.await();
        lastIsAnswered.set(true);
      }
      return answerSoon();
    };
    LoadListener listener = new LoadListener() {
      @Override
      public void measuring() {
        begunEarly.set(!lastIsAnswered.get());
      }
    };
    try (ClosedSession session = open(async)) {
      LoadReport report = session.measure(PLAN, Duration.ofMillis(1), listener);
      assertTrue(report.answered() > 0);
      assertEquals(0, report.failed());
    }
    assertTrue(lastIsAnswered.get());
    assertFalse(begunEarly.get(), "the window began while a caller waited for its first answer");
  }

  @Test
  void clientStaysOpenFromTheWarmUpToTheLastWindow() throws Exception {
    try (ClosedSession session = open(false)) {
      session.warmUp(Duration.ZERO, Duration.ofSeconds(20), () -> true);
      session.measure(PLAN, Duration.ZERO, LoadListener.NONE);
      session.measure(PLAN, Duration.ZERO, LoadListener.NONE);
      assertEquals(1, started.get());
      assertEquals(0, closed.get());
    }
    assertEquals(1, closed.get());
  }

  @Test
  void callersOfAWindowAreFresh() throws Exception {
    try (ClosedSession session = open(false)) {
      session.warmUp(Duration.ZERO, Duration.ofSeconds(20), () -> true);
      int inWarmUp = callers.size();
      assertTrue(inWarmUp > 3 * CALLERS, "those of the warm-up changed too seldom: " + inWarmUp);
      session.measure(PLAN, Duration.ZERO, LoadListener.NONE);
      assertEquals(inWarmUp + CALLERS, callers.size());
    }
  }

  @Test
  void callersOnPlatformThreadsStayForAWindowOfTheWarmUp() throws Exception {
    LoadPlan onThreads = new LoadPlan(
        PLAN.request(),
        PLAN.wire(),
        PLAN.pace(),
        PLAN.extent(),
        PLAN.warmUp(),
        new Strand.Platform());
    AtomicInteger windows = new AtomicInteger();
    try (ClosedSession session = ClosedSession.open(new Steps(), Profile.TUNED, onThreads)) {
      session.warmUp(Duration.ZERO, Duration.ofSeconds(20), () -> windows.incrementAndGet() == 2);
    }
    assertEquals(2 * CALLERS, callers.size());
  }

  @Test
  void warmUpGoesOnUntilNothingChanges() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    try (ClosedSession session = open(false)) {
      Warmth warmth = session.warmUp(
          Duration.ofMillis(1), Duration.ofSeconds(60), () -> looks.incrementAndGet() == 3);
      assertEquals(3, looks.get());
      assertTrue(warmth.isQuiet() && warmth.isAnswered(), warmth::toString);
    }
  }

  @Test
  void warmUpThatNeverComesToRestEndsAtItsLongestTime() throws Exception {
    Duration most = Duration.ofMillis(450);
    try (ClosedSession session = open(true)) {
      Warmth warmth = session.warmUp(Duration.ZERO, most, () -> false);
      assertFalse(warmth.isQuiet());
      assertTrue(warmth.took().compareTo(most) >= 0, warmth::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clientThatOnlyFailsIsShownWithItsCause(boolean async) throws Exception {
    step = () -> {
      throw new IOException("connection refused");
    };
    try (ClosedSession session = open(async)) {
      Warmth warmth = session.warmUp(Duration.ZERO, Duration.ZERO, () -> true);
      assertFalse(warmth.isAnswered());
      assertEquals("IOException: connection refused", warmth.failure());
      LoadReport report = session.measure(PLAN, Duration.ZERO, LoadListener.NONE);
      assertEquals(0, report.answered());
      assertEquals("connection refused", report.errors().getFirst().example());
    }
  }

  @Test
  void failureBeforeTheWindowIsToldWhereNothingEndedWithinIt() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Map<Thread, Integer> failures = new ConcurrentHashMap<>();
    // Three failures each, and then no answer until the window is over.
    step = () -> {
      if (failures.merge(Thread.currentThread(), 1, Integer::sum) <= 3) {
        throw new IOException("no route");
      }
      over.await();
      return HELLO;
    };
    LoadListener listener = new LoadListener() {
      @Override
      public void measured() {
        over.countDown();
      }
    };
    try (ClosedSession session = open(false)) {
      LoadReport report = session.measure(PLAN, Duration.ZERO, listener);
      assertEquals(0, report.answered());
      assertEquals("no route", report.errors().getFirst().example());
    }
  }

  @Test
  void pretendedWindowIsToldAndReportedAndNothingIsSent() throws Exception {
    List<String> told = new ArrayList<>();
    LoadListener listener = new LoadListener() {
      @Override
      public void measuring() {
        told.add("measuring");
      }

      @Override
      public void progress(LoadProgress progress) {
        told.add("progress");
      }

      @Override
      public void measured() {
        told.add("measured");
      }
    };
    try (ClosedSession session = open(false)) {
      LoadReport report = session.pretend(PLAN, listener);
      assertEquals(List.of("measuring", "progress", "measured"), told);
      assertEquals(100, report.answered());
      assertEquals(List.of(), report.errors());
      assertEquals(50_000, report.latency().p50(), 100);
    }
    assertEquals(Set.of(), callers);
  }

  @Test
  void slowReaderReadsWhileTheOthersAreMeasuredAndGivesUpThen() throws Exception {
    DriverRequest large = new DriverRequest(PLAN.uri(), 0, 64 << 20);
    AtomicLong before = new AtomicLong();
    AtomicLong after = new AtomicLong();
    LoadListener listener = new LoadListener() {
      @Override
      public void measuring() {
        before.set(slowlyRead.get());
      }

      @Override
      public void measured() {
        after.set(slowlyRead.get());
      }
    };
    try (ClosedSession session = open(false)) {
      LoadReport report = session.measureBeside(large, PLAN, Duration.ZERO, listener);
      assertEquals(0, report.failed(), () -> report.errors().toString());
      assertTrue(report.answered() > 0);
      assertTrue(before.get() > 0, "it had not begun");
      assertTrue(after.get() < 64 << 20, "it was not slow");
      assertTrue(slowIsClosed.await(30, TimeUnit.SECONDS), "it reads on");
    }
  }

  @Test
  void slowReaderThatFailsIsAnError() throws Exception {
    DriverRequest large = new DriverRequest(PLAN.uri().resolve("/absent"), 0, -1);
    try (ClosedSession session = open(false)) {
      LoadReport report = session.measureBeside(large, PLAN, Duration.ZERO, LoadListener.NONE);
      assertEquals("no such content", report.errors().getFirst().example());
    }
  }

  /** What a client would hand over, counted as it is read. */
  private final class Counted extends InputStream {
    private long left;

    Counted(long length) {
      left = length;
    }

    @Override
    public int read() throws IOException {
      throw new IOException("single bytes are not read");
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      int read = (int) Math.min(left, count);
      left -= read;
      slowlyRead.addAndGet(read);
      return read == 0 ? -1 : read;
    }

    @Override
    public void close() {
      slowIsClosed.countDown();
    }
  }

  private Answer takeSlowly(DriverRequest request) throws IOException {
    if (request.expectedLength() < 0) {
      throw new IOException("no such content");
    }
    try (InputStream content = new Counted(request.expectedLength())) {
      return Answer.drain(200, content);
    }
  }

  private ClosedSession open(boolean async) throws Exception {
    Driver driver = async ? new StepsAsync() : new Steps();
    return ClosedSession.open(driver, Profile.TUNED, PLAN);
  }

  private final class Steps implements ClientDriver {
    @Override
    public String name() {
      return "steps";
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public void start(DriverConfig config) {
      started.incrementAndGet();
    }

    @Override
    public Exchange prepare(DriverRequest request) {
      if (!request.equals(PLAN.request())) {
        return () -> takeSlowly(request);
      }
      return () -> {
        callers.add(Thread.currentThread());
        return step.take();
      };
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private final class StepsAsync implements AsyncClientDriver {
    @Override
    public String name() {
      return "steps-async";
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public void start(DriverConfig config) {
      started.incrementAndGet();
    }

    @Override
    public AsyncExchange prepare(DriverRequest request) {
      return completion -> Thread.startVirtualThread(() -> {
        try {
          completion.answered(step.take());
        } catch (Exception e) {
          completion.failed(e);
        }
      });
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
