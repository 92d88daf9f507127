package heddle.cli.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadListener;
import heddle.load.LoadProgress;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.record.Stripes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

/** What a sequence of progress looks like. */
class LoadViewTest {

  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong();
  private final Fed fed = new Fed();
  private final LoadView view = new LoadView(
      new LoadTitle(
          "GET http://127.0.0.1/",
          "HTTP/1.1",
          new LoadShape(new Pace.Open(100, 8, Pace.Arrivals.POISSON), new Extent.Requests(2_000))),
      now::get);

  /** Records what the test says. */
  private static final class Fed implements LoadListener.Recorded {
    private final Stripes responses = Stripes.single();
    private final Stripes others = Stripes.single();
    private final Stripes lags = Stripes.single();

    @Override
    public Map<Integer, Histogram> responses() {
      return Map.of(200, responses.snapshot(), 201, others.snapshot());
    }

    @Override
    public Histogram sendLags() {
      return lags.snapshot();
    }

    @Override
    public long inFlight() {
      return 3;
    }

    @Override
    public long dropped() {
      return 0;
    }

    @Override
    public List<ErrorCause> errors() {
      return List.of();
    }

    @Override
    public List<String> doubts() {
      return List.of();
    }
  }

  private String frame() {
    return view.lines(new Look(false, true), 100).stream()
        .map(AttributedString::toString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** A second in which this many answers take this long, drawn 4 times. */
  private void second(int answers, long millis) {
    for (int quarter = 0; quarter < 4; quarter++) {
      for (int i = 0; i < answers / 4; i++) {
        (i % 2 == 0 ? fed.responses : fed.others).record(millis * 1_000_000);
        fed.lags.record(millis * 10_000);
      }
      now.addAndGet(SECOND / 4);
      view.progress(new LoadProgress(
          Duration.ofNanos(now.get()),
          now.get() / 20e9,
          fed.responses.count() * 2,
          0,
          answers,
          3,
          0));
      String _ = frame();
    }
  }

  @Test
  void loadOfOthersShowsWhatTheyTell() {
    view.progress(new LoadProgress(Duration.ofSeconds(8), 0.4, 790, 10, 120, 17, 0));
    assertEquals(
        """
        heddle load   GET http://127.0.0.1/   HTTP/1.1   100/s poisson   2,000 requests
        ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌    40%   8 s   1,200 left, about 10 s
        rate             120/s   790 answered
        in flight   17
        failed      10
        """,
        frame());
  }

  @Test
  void lastSecondsForgetWhatCameBefore() {
    assertTrue(frame().contains("warming up"), this::frame);
    view.recording(fed);
    view.measuring();
    String _ = frame();
    second(80, 500);
    for (int i = 0; i < 7; i++) {
      second(i % 2 == 0 ? 80 : 40, 2);
    }
    assertEquals(
        """
        heddle load   GET http://127.0.0.1/   HTTP/1.1   100/s poisson   2,000 requests
        ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌    40%   8 s   1,480 left, about 23 s
        rate            64.0/s   ██▅█▅█▅█   520 answered
        last 5 s    p50 2.00 ms   p99 2.00 ms   max 2.00 ms
        in all      p50 2.00 ms   p99  500 ms   max  500 ms
        in flight   3   sent late p99 20 µs
        """,
        frame());
    view.measured();
    assertTrue(frame().contains("waiting for the last answers"), this::frame);
  }
}
