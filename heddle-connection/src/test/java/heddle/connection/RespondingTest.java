package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.transport.Channel;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors while a response is sent or closed. */
@Timeout(60)
class RespondingTest {
  @Test
  void aRefusalThatDiesOfAnErrorIsAbandonedAndLeft() throws Exception {
    Unanswerable exchange = new Unanswerable();
    Responding.refuse(exchange, Response.of(Status.SERVICE_UNAVAILABLE));
    exchange.left.await();
    assertTrue(exchange.abandoned);
  }

  @Test
  void aBodyWhoseClosingDiesOfAnErrorDoesNotConcernThePeer() {
    Response response = Response.ok(new Body() {
      @Override
      public long length() {
        return 0;
      }

      @Override
      public boolean isReplayable() {
        return false;
      }

      @Override
      public InputStream stream() {
        return InputStream.nullInputStream();
      }

      @Override
      public void close() {
        throw new NoClassDefFoundError("injected");
      }
    });
    assertDoesNotThrow(() -> Responding.closeQuietly(response));
  }

  private static final class Unanswerable implements ServerExchange {
    private volatile boolean abandoned;
    private final CountDownLatch left = new CountDownLatch(1);

    @Override
    public void respond(Response response) {
      throw new OutOfMemoryError("injected");
    }

    @Override
    public void abandon() {
      abandoned = true;
    }

    @Override
    public void leave() {
      left.countDown();
    }

    @Override
    public boolean isOnLoop() {
      return false;
    }

    @Override
    public boolean enter(Runnable ending) {
      return true;
    }

    @Override
    public void interim(Status status, Headers fields) {
      throw new IllegalStateException("not asked for");
    }

    @Override
    public ResponseOutput begin(Response head) {
      throw new IllegalStateException("not asked for");
    }

    @Override
    public UpgradedStream switchProtocols(String protocol, Headers fields) {
      throw new IllegalStateException("not asked for");
    }

    @Override
    public HttpVersion version() {
      return HttpVersion.HTTP_1_1;
    }

    @Override
    public Channel channel() {
      throw new IllegalStateException("not asked for");
    }

    @Override
    public long connectionId() {
      return 1;
    }

    @Override
    public Method method() {
      return Method.GET;
    }

    @Override
    public String target() {
      return "/";
    }

    @Override
    public Request request() {
      throw new IllegalStateException("not asked for");
    }

    @Override
    public @Nullable Status statusOfFault(Throwable failure) {
      return null;
    }

    @Override
    public boolean hasFault() {
      return false;
    }

    @Override
    public boolean isCommitted() {
      return false;
    }

    @Override
    public boolean isCut() {
      return false;
    }

    @Override
    public void reportRefused(@Nullable Status status) {}

    @Override
    public void refuse(Response response) {
      throw new IllegalStateException("not refused");
    }
  }
}
