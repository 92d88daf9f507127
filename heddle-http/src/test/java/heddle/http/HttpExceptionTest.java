package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HttpExceptionTest {
  private static final FailurePoint WHERE = new FailurePoint(
      Method.GET,
      new Origin("http", "127.0.0.1", 8080),
      Phase.QUEUE,
      Sent.NO,
      Duration.ofMillis(5));

  @Test
  void messageIsMadeOnceAndOnlyForWhoAsks() {
    AtomicInteger made = new AtomicInteger();
    HttpException refused =
        new HttpException(() -> "refused " + made.incrementAndGet(), null, null) {};
    assertEquals(0, made.get());
    assertEquals("refused 1", refused.getMessage());
    assertEquals("refused 1", refused.getMessage());
  }

  @Test
  void messageEndsWithWhereItHappened() {
    HttpException refused = new HttpException("refused", WHERE, null);
    assertEquals("refused: " + WHERE, refused.getMessage());
  }

  @Test
  void messageSurvivesSerializationThoughNobodyHasAskedForItBefore() throws Exception {
    HttpException copy = copyOf(new HttpException("refused", WHERE, null));
    assertEquals("refused: " + WHERE, copy.getMessage());
    assertNull(copy.at());
  }

  private static HttpException copyOf(HttpException exception)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(exception);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (HttpException) in.readObject();
    }
  }
}
