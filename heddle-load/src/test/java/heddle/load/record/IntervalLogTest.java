package heddle.load.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;

class IntervalLogTest {

  private static final long SECOND = 1_000_000_000L;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void linesOfATagAddUpToExactlyWhatWasRecorded() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Stripes responses = new Stripes();
    Stripes lags = Stripes.single();
    IntervalLog log = log(responses, lags);
    log.begin("a test\nof two lines", 7);
    for (int second = 1; second <= 9; second++) {
      for (int i = 0; i < 500; i++) {
        responses.record((long) Math.exp(random.nextDouble() * 22));
        lags.record(random.nextInt(10_000_000));
      }
      log.tick(7 + second * SECOND);
    }
    responses.record(5 * SECOND);
    log.end(7 + 9 * SECOND + SECOND / 2);
    log.close();
    assertEquals(responses.snapshot(), merged("response"), "seed " + seed);
    assertEquals(lags.snapshot(), merged("lag"), "seed " + seed);
    assertEquals(4501, merged("response").getTotalCount());
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(20, text.lines().filter(line -> line.startsWith("Tag=")).count(), text);
    assertTrue(text.contains("Tag=response,9.000,0.500,500"), text);
  }

  @Test
  void nothingIsLostWhileOthersRecord() throws InterruptedException {
    Stripes responses = new Stripes();
    IntervalLog log = log(responses, Stripes.single());
    log.begin("a race", 0);
    int threads = 4;
    long each = 50_000;
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      Thread.ofPlatform().start(() -> {
        for (int i = 0; i < each; i++) {
          responses.record(1_000L + i);
        }
        done.countDown();
      });
    }
    long now = SECOND;
    while (done.getCount() > 0 && now < 20 * SECOND) {
      log.tick(now);
      now += SECOND;
    }
    done.await();
    log.end(now);
    log.close();
    assertEquals(responses.snapshot(), merged("response"));
    assertEquals(threads * each, merged("response").getTotalCount());
  }

  private IntervalLog log(Stripes responses, Stripes lags) {
    IntervalLog log = new IntervalLog(out);
    log.add("response", responses::snapshot);
    log.add("lag", lags::snapshot);
    return log;
  }

  private Histogram merged(String tag) {
    Histogram merged = Stripes.empty();
    try (HistogramLogReader reader =
        new HistogramLogReader(new ByteArrayInputStream(out.toByteArray()))) {
      for (EncodableHistogram each = reader.nextIntervalHistogram();
          each != null;
          each = reader.nextIntervalHistogram()) {
        if (tag.equals(each.getTag())) {
          merged.add((Histogram) each);
        }
      }
    }
    return merged;
  }
}
