package heddle.load.cluster.crew;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.LoadProgress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemberLineTest {

  @Test
  void progressIsReadAsItWasWritten() throws IOException {
    var progress = new LoadProgress(Duration.ofNanos(1_234_567_891), 0.25, 1L << 40, 3, 4.5, 6, 7);
    assertEquals(new MemberLine.Going(progress), MemberLine.parse(MemberLine.of(progress)));
    assertEquals(new MemberLine.Ready(), MemberLine.parse(MemberLine.READY));
    assertEquals(new MemberLine.Result("{}"), MemberLine.parse("{}"));
    for (String wrong : List.of("", "Listening", "going", "going on", "going {}")) {
      assertThrows(IllegalArgumentException.class, () -> MemberLine.parse(wrong), wrong);
    }
  }

  @Test
  @Timeout(60)
  void memberIsToldWhenToBeginAndToStop() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    Orders orders = orders("start 2026-05-01T12:00:00Z\nstop\n");
    assertEquals(Instant.parse("2026-05-01T12:00:00Z"), orders.awaitStart());
    orders.follow(stopped::countDown, gone::countDown);
    assertTrue(stopped.await(50, TimeUnit.SECONDS));
    assertTrue(gone.await(50, TimeUnit.SECONDS));
  }

  @Test
  void memberWithoutOrdersDoesNotBegin() {
    for (String wrong : List.of("", "stop\n", "start soon\n")) {
      assertThrows(IOException.class, () -> orders(wrong).awaitStart(), wrong);
    }
  }

  private static Orders orders(String text) {
    return new Orders(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
