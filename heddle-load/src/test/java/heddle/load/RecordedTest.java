package heddle.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Answer;
import heddle.load.schedule.Think;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a load tells of itself while it runs. */
@Timeout(60)
class RecordedTest {

  private final AtomicInteger number = new AtomicInteger();

  /** Keeps what the load lets others look at. */
  private static final class Onlooker implements LoadListener {
    private volatile LoadListener.@Nullable Recorded recorded;
    private final Runnable each;

    Onlooker(Runnable each) {
      this.each = each;
    }

    @Override
    public void recording(Recorded now) {
      recorded = now;
    }

    @Override
    public void progress(LoadProgress progress) {
      each.run();
    }

    LoadListener.Recorded recorded() {
      LoadListener.Recorded seen = recorded;
      assertNotNull(seen, "nothing was to be looked at");
      return seen;
    }
  }

  @Test
  void answersAreKeptApartByStatusAndAddUpToAllOfThem() throws Exception {
    Onlooker onlooker = new Onlooker(() -> {});
    LoadReport report = Load.of(() -> new Answer(200 + number.getAndIncrement() % 20, 6))
        .callers(1)
        .requests(400)
        .listener(onlooker)
        .run();
    Map<Integer, Long> counts = new TreeMap<>();
    onlooker.recorded().responses().forEach((status, each) -> {
      counts.put(status, each.getTotalCount());
    });
    assertEquals(400, report.answered());
    assertEquals(400, counts.values().stream().mapToLong(Long::longValue).sum());
    assertEquals(20, counts.get(200), counts::toString);
    assertEquals(20, counts.get(208), counts::toString);
    assertEquals(11 * 20, counts.get(0), counts::toString);
    assertEquals(report.latency().max(), max(onlooker.recorded().responses()) / 1e3);
  }

  private static double max(Map<Integer, Histogram> all) {
    return all.values().stream().mapToLong(Histogram::getMaxValue).max().orElseThrow();
  }

  @Test
  void requestsThatWaitAreInFlightAndCallersThatThinkAreNot() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    AtomicLong most = new AtomicLong();
    AtomicInteger looks = new AtomicInteger();
    var onlooker = new Onlooker[1];
    onlooker[0] = new Onlooker(() -> {
      most.accumulateAndGet(onlooker[0].recorded().inFlight(), Math::max);
      if (looks.incrementAndGet() == 2) {
        answers.countDown();
      }
    });
    Load.of(() -> {
          answers.await();
          return new Answer(200, 6);
        })
        .callers(3, Think.constant(Duration.ofMillis(1)))
        .requests(30)
        .listener(onlooker[0])
        .run();
    assertEquals(3, most.get());
    assertEquals(0, onlooker[0].recorded().inFlight());

    Onlooker[] second = new Onlooker[1];
    AtomicLong thinking = new AtomicLong(Long.MAX_VALUE);
    second[0] =
        new Onlooker(() -> thinking.accumulateAndGet(second[0].recorded().inFlight(), Math::min));
    Load.of(() -> new Answer(200, 6))
        .callers(3, Think.constant(Duration.ofSeconds(30)))
        .lasting(Duration.ofMillis(600))
        .listener(second[0])
        .run();
    assertEquals(0, thinking.get());
  }

  @Test
  void openLoadTellsItsLagFailuresAndDoubtsWhileItRuns() throws Exception {
    Onlooker onlooker = new Onlooker(() -> {});
    LoadReport report = Load.of(() -> {
          if (number.getAndIncrement() % 2 == 0) {
            throw new IOException("Connection reset");
          }
          return new Answer(200, 6);
        })
        .rate(1_000)
        .requests(200)
        .maxLag(Duration.ofNanos(1))
        .listener(onlooker)
        .run();
    LoadListener.Recorded recorded = onlooker.recorded();
    assertEquals(200, recorded.sendLags().getTotalCount());
    assertEquals(100, recorded.errors().getFirst().count());
    assertEquals(report.doubts().getFirst(), recorded.doubts().getFirst());
    assertTrue(recorded.doubts().getFirst().contains("late"), recorded.doubts()::toString);
    assertEquals(List.of(200), List.copyOf(recorded.responses().keySet()));
    assertEquals(0, recorded.inFlight());
    assertEquals(0, recorded.dropped());
  }
}
