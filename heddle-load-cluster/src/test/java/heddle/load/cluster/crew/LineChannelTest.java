package heddle.load.cluster.crew;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.LoadProgress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LineChannelTest {

  private static final String START = "{\"type\":\"start\",\"time\":\"2026-05-01T12:00:00Z\"}\n";
  private static final String STOP = "{\"type\":\"stop\"}\n";

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  @Test
  void messagesAreReceivedAsTheyWereSent() throws IOException {
    var progress = new LoadProgress(Duration.ofNanos(1_234_567_891), 0.25, 1L << 40, 3, 4.5, 6, 7);
    LineChannel out = channel("");
    out.send(new Answer.Ready());
    out.send(new Answer.Going(progress));
    out.send(new Answer.Result("{\n}"));
    LineChannel in = channel(sent.toString(StandardCharsets.UTF_8));
    assertEquals(new Answer.Ready(), in.receive(Answer.class));
    assertEquals(new Answer.Going(progress), in.receive(Answer.class));
    assertEquals(new Answer.Result("{\n}"), in.receive(Answer.class));
    assertNull(in.receive(Answer.class));
  }

  @Test
  void lineThatIsNoMessageIsQuotedAndTheNextIsRead() throws IOException {
    LineChannel in = channel("Listening\n{\"type\":\"sing\"}\n{\"type\":\"going\"}\n\n" + STOP);
    for (String why : new String[] {"Listening", "sing", "going", ""}) {
      IOException thrown = assertThrows(
          LineChannel.MalformedLineException.class, () -> in.receive(Order.class), why);
      assertTrue(String.valueOf(thrown.getMessage()).contains(why), thrown::toString);
    }
    assertEquals(new Order.Stop(), in.receive(Order.class));
  }

  @Test
  void lineAboveTheLimitIsRefused() throws IOException {
    assertEquals(new Order.Stop(), channel(STOP).receive(Order.class, STOP.length() - 1));
    IOException thrown = assertThrows(
        IOException.class, () -> channel(STOP).receive(Order.class, STOP.length() - 2));
    assertTrue(
        String.valueOf(thrown.getMessage()).contains("more than 14 bytes"), thrown::toString);
  }

  @Test
  @Timeout(60)
  void followerBeginsAtTheGivenTimeAndStops() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    Following following = new Following(channel(START + "nonsense\n" + STOP));
    assertEquals(
        Instant.parse("2026-05-01T12:00:00Z"),
        following.awaitStart(stopped::countDown, gone::countDown));
    assertTrue(stopped.await(50, TimeUnit.SECONDS));
    assertTrue(gone.await(50, TimeUnit.SECONDS));
    LineChannel answers = channel(sent.toString(StandardCharsets.UTF_8));
    assertEquals(new Answer.Ready(), answers.receive(Answer.class));
    assertTrue(
        answers.receive(Answer.class) instanceof Answer.Failure(String cause)
            && cause.contains("nonsense"),
        sent::toString);
  }

  @Test
  void followerWithoutAStartDoesNotBegin() {
    for (String wrong : new String[] {"", STOP, "{\"type\":\"start\",\"time\":\"soon\"}\n"}) {
      assertThrows(
          IOException.class,
          () -> new Following(channel(wrong)).awaitStart(() -> {}, () -> {}),
          wrong);
    }
  }

  private LineChannel channel(String received) {
    return new LineChannel(
        new ByteArrayInputStream(received.getBytes(StandardCharsets.UTF_8)), sent);
  }
}
