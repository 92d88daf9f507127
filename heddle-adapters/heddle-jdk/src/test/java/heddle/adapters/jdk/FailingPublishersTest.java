package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What publishers fail with, their calls fail with. */
@Timeout(60)
class FailingPublishersTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
    server.handler(request -> MockResponse.ok("taken"));
  }

  private HttpRequest post(BodyPublisher content) {
    return HttpRequest.newBuilder(URI.create(server.url("/")))
        .version(Version.HTTP_1_1)
        .POST(content)
        .build();
  }

  private String send(HttpClient client, BodyPublisher content) throws Exception {
    return client.send(post(content), BodyHandlers.ofString()).body();
  }

  /** What the failure of an asynchronous call has as its cause. */
  private Throwable failureLater(HttpClient client, BodyPublisher content) {
    ExecutionException failed = assertThrows(
        ExecutionException.class,
        () -> client.sendAsync(post(content), BodyHandlers.ofString()).get());
    return failed.getCause();
  }

  /** Throws or fails at a given point. */
  private enum Place {
    SUBSCRIBE,
    REQUEST,
    ERROR,
    ERROR_LATER;

    BodyPublisher publisher() {
      return BodyPublishers.fromPublisher(this::subscribe);
    }

    private void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      if (this == SUBSCRIBE) {
        throw new IllegalStateException("no");
      }
      subscriber.onSubscribe(new Flow.Subscription() {
        private boolean asked;

        @Override
        public void request(long count) {
          if (!asked) {
            asked = true;
            requested(subscriber);
          }
        }

        @Override
        public void cancel() {}
      });
    }

    private void requested(Flow.Subscriber<? super ByteBuffer> subscriber) {
      switch (this) {
        case REQUEST -> throw new IllegalStateException("no");
        case ERROR -> subscriber.onError(new IllegalStateException("no"));
        case ERROR_LATER -> {
          subscriber.onNext(ByteBuffer.wrap(new byte[10]));
          subscriber.onError(new IOException("no"));
        }
        case SUBSCRIBE -> throw new AssertionError("it has thrown before");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theFailureOfAPublisherIsTheCauseOfTheCalls(Place place) throws Exception {
    try (HttpClient client = Stack.HEDDLE.client()) {
      Exception sent = assertThrows(Exception.class, () -> send(client, place.publisher()));
      assertInstanceOf(IOException.class, sent);
      Throwable root = sent.getCause() == null ? sent : sent.getCause();
      assertEquals(
          place == Place.ERROR_LATER ? IOException.class : IllegalStateException.class,
          root.getClass());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aFailingPublisherFailsTheCall(Stack stack, @TempDir Path folder) throws Exception {
    Path gone = Files.write(folder.resolve("gone"), new byte[10]);
    BodyPublisher ofGone = BodyPublishers.ofFile(gone);
    Files.delete(gone);
    Iterable<byte[]> broken = () -> new Iterator<>() {
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public byte[] next() {
        throw new IllegalStateException("broken");
      }
    };
    try (HttpClient client = stack.client()) {
      IOException failed = assertThrows(IOException.class, () -> send(client, ofGone));
      assertInstanceOf(FileNotFoundException.class, failed.getCause());
      assertThrows(IOException.class, () -> send(client, BodyPublishers.ofInputStream(() -> null)));
      assertThrows(IOException.class, () -> send(client, BodyPublishers.ofByteArrays(broken)));
      assertThrows(
          IOException.class,
          () -> send(client, BodyPublishers.ofInputStream(FailingPublishersTest::unreadable)));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aPublisherOfAnotherLengthIsAnIoException(Stack stack) throws Exception {
    try (HttpClient client = stack.client()) {
      for (int length : new int[] {3, 5}) {
        BodyPublisher other = BodyPublishers.fromPublisher(BodyPublishers.ofString("text"), length);
        assertThrows(IOException.class, () -> send(client, other));
        assertInstanceOf(IOException.class, failureLater(client, other));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void theCallFailsWithTheFailureOfThePublisher(Stack stack) throws Exception {
    IOException thrown = new IOException("disk full");
    Flow.Publisher<ByteBuffer> failing = subscriber -> {
      subscriber.onSubscribe(new Flow.Subscription() {
        @Override
        public void request(long count) {
          subscriber.onError(thrown);
        }

        @Override
        public void cancel() {}
      });
    };
    try (HttpClient client = stack.client()) {
      BodyPublisher publisher = BodyPublishers.fromPublisher(failing);
      IOException failed = assertThrows(IOException.class, () -> send(client, publisher));
      assertEquals("disk full", failed.getMessage());
      assertSame(thrown, failed.getCause());
      assertSame(thrown, failureLater(client, publisher));
    }
  }

  private static InputStream unreadable() {
    return new FilterInputStream(InputStream.nullInputStream()) {
      @Override
      public int read(byte[] target, int offset, int size) throws IOException {
        throw new IOException("unreadable");
      }
    };
  }
}
