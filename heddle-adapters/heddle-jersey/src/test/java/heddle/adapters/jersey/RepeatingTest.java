package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.RequestEntityProcessing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entities that are too large to be held, and have to be sent again. */
@Timeout(60)
final class RepeatingTest {
  private static final int SIZE = 300_000;

  private final Client client = Carrier.HEDDLE.client();

  @SuppressWarnings("NullAway.Init") // set before each test
  private MockServer server;

  @BeforeEach
  void start() throws Exception {
    server = MockServer.start();
    server.answer("/a", MockResponse.of(307).header("Location", "/b"));
    server.answer("/b", MockResponse.ok("there"));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Invocation.Builder at(String path) {
    return client.target(server.url(path)).request();
  }

  private static byte[] content() {
    byte[] content = new byte[SIZE];
    new Random(7).nextBytes(content);
    return content;
  }

  private static <T> Entity<T> octets(T entity) {
    return Entity.entity(entity, MediaType.APPLICATION_OCTET_STREAM_TYPE);
  }

  private void assertSentTwice(byte[] content) throws Exception {
    for (String path : List.of("/a", "/b")) {
      RecordedRequest request = server.takeRequest();
      assertEquals(path, request.target());
      assertArrayEquals(content, request.body());
    }
  }

  @Test
  void entityIsWrittenOnceMoreOnTheSameThread() throws Exception {
    List<Thread> writers = new CopyOnWriteArrayList<>();
    client.register((WriterInterceptor) context -> {
      writers.add(Thread.currentThread());
      context.proceed();
    });
    byte[] content = content();
    assertEquals("there", at("/a").post(octets(content), String.class));
    assertSentTwice(content);
    assertEquals(List.of(Thread.currentThread(), Thread.currentThread()), writers);
  }

  /** Its length is unknown then, and only its end shows that it was written. */
  @Test
  void entityIsWrittenOnceMoreInChunks() throws Exception {
    byte[] content = content();
    String told = at("/a")
        .property(ClientProperties.REQUEST_ENTITY_PROCESSING, RequestEntityProcessing.CHUNKED)
        .async()
        .put(octets(content), String.class)
        .get();
    assertEquals("there", told);
    assertSentTwice(content);
  }

  /** The server may answer as soon as it has the last octet that was announced. */
  @Test
  void entityOfAKnownLengthIsWrittenOnceMore() throws Exception {
    byte[] content = content();
    for (int i = 0; i < 20; i++) {
      String told = at("/a").header("Content-Length", SIZE).post(octets(content), String.class);
      assertEquals("there", told);
      assertSentTwice(content);
    }
  }

  @Test
  void entityThatIsAStreamIsNotSentAgainSoThe307IsTheResponse() {
    byte[] content = content();
    StreamingOutput output = out -> out.write(content);
    for (Object stream :
        List.of(new ByteArrayInputStream(content), new StringReader("x".repeat(SIZE)), output)) {
      try (Response response = at("/a").post(octets(stream))) {
        assertEquals(307, response.getStatus(), stream::toString);
      }
    }
  }

  /** Then it was not written to its end, and the rest is unknown. */
  @Test
  void serverThatRedirectsEarlyIsNotSentTheEntityAgain() throws Exception {
    ScriptedPeer.visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nConnection: close\r\n"
              + "Content-Length: 0\r\n\r\n");
          c.drain();
        },
        peer -> {
          try (Response response =
              client.target(peer.url("/a")).request().post(octets(new byte[20_000_000]))) {
            assertEquals(307, response.getStatus());
          }
        });
  }

  /** The rest is not needed then. */
  @Test
  void serverMayAnswerBeforeItHasTheEntityThatIsSentAgain() throws Exception {
    ScriptedPeer.visit(
        c -> {
          c.expectHead();
          // Otherwise a client that has sent all of it by then keeps the connection.
          c.send("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
              + "Content-Length: 0\r\n\r\n");
          c.drain();
        },
        peer -> {
          server.answer("/a", MockResponse.of(307).header("Location", peer.url("/b")));
          try (Response response = at("/a").post(octets(new byte[3_000_000]))) {
            assertEquals(413, response.getStatus());
          }
        });
  }

  @Test
  void cancellingEndsACallWhoseEntityIsSentAgain() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    ScriptedPeer.visit(
        c -> {
          c.expectHead();
          asked.countDown();
          c.drain();
        },
        peer -> {
          server.answer("/a", MockResponse.of(307).header("Location", peer.url("/b")));
          RecordingCallback.Whole told = new RecordingCallback.Whole();
          Future<Response> call = client
              .target(server.url("/a"))
              .request()
              .async()
              .post(octets(new byte[3_000_000]), told);
          asked.await();
          assertTrue(call.cancel(true));
          assertInstanceOf(CancellationException.class, told.failure());
        });
  }

  // ---- entities that are others the second time

  /** What is written of it changes. */
  private static final class Fickle {
    private final int[] sizes;
    private int next;

    Fickle(int... sizes) {
      this.sizes = sizes;
    }
  }

  private static final class FickleWriter implements MessageBodyWriter<Fickle> {
    @Override
    public boolean isWriteable(
        Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
      return type == Fickle.class;
    }

    @Override
    public void writeTo(
        Fickle entity,
        Class<?> type,
        Type generic,
        Annotation[] annotations,
        MediaType media,
        MultivaluedMap<String, Object> headers,
        OutputStream out)
        throws IOException {
      int number = entity.next++;
      byte[] content = new byte[Math.abs(entity.sizes[number])];
      Arrays.fill(content, (byte) number);
      if (entity.sizes[number] < 0) {
        throw new IOException("the loom is broken");
      }
      out.write(content);
    }
  }

  private String failure(Fickle entity) {
    client.register(new FickleWriter());
    ProcessingException failure =
        assertThrows(ProcessingException.class, () -> at("/a").post(octets(entity)));
    Throwable cause = assertInstanceOf(IOException.class, failure.getCause());
    StringBuilder all = new StringBuilder();
    while (cause != null) {
      all.append(cause.getMessage()).append('\n');
      cause = cause.getCause();
    }
    return all.toString();
  }

  @Test
  void shorterEntityThanBeforeFailsTheRequest() {
    String told = failure(new Fickle(SIZE, 0));
    String another = "had changed when it was written again: 0 bytes instead of 300000";
    assertTrue(told.contains(another), told);
  }

  @Test
  void otherEntityOfTheSameLengthFailsTheRequest() {
    String told = failure(new Fickle(SIZE, SIZE));
    assertTrue(told.contains("had changed when it was written again"), told);
  }

  @Test
  void entityThatCannotBeWrittenOnceMoreFailsTheRequest() {
    String told = failure(new Fickle(SIZE, -1));
    assertTrue(told.contains("the loom is broken"), told);
  }
}
