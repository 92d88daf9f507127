package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;

/** The TCK of Reactive Streams, whose tests are TestNG's, over the content of a response. */
@Timeout(60)
class ContentDeliveryTckTest {
  /**
   * Long enough for a thread to be scheduled on a busy machine; the absence of a signal is awaited.
   */
  private static final long PATIENCE_MILLIS = 1_000;

  private static final long QUIET_MILLIS = 50;

  @TestFactory
  Stream<DynamicTest> itPassesTheTck() {
    List<Method> tests = Arrays.stream(Verification.class.getMethods())
        .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
        .toList();
    assertTrue(tests.size() > 30, () -> "found only " + tests.size() + " tests");
    return tests.stream().map(test -> DynamicTest.dynamicTest(test.getName(), () -> run(test)));
  }

  private static void run(Method test) throws Throwable {
    Verification verification = new Verification();
    verification.setUp();
    try {
      test.invoke(verification);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SkipException skipped) {
        Assumptions.abort(skipped.getMessage());
      }
      throw e.getCause();
    }
  }

  private static ContentDelivery<ByteBuffer> delivery(long pieces) {
    return new ContentDelivery<>(
        new Pieces(pieces), buffer -> buffer, false, failure -> failure, failure -> {});
  }

  /** What the TCK requires. */
  public static final class Verification extends FlowPublisherVerification<ByteBuffer> {
    Verification() {
      super(new TestEnvironment(PATIENCE_MILLIS, QUIET_MILLIS));
    }

    @Override
    public Flow.Publisher<ByteBuffer> createFlowPublisher(long elements) {
      return delivery(elements);
    }

    @Override
    public Flow.Publisher<ByteBuffer> createFailedFlowPublisher() {
      ContentDelivery<ByteBuffer> failed = delivery(1);
      failed.fail(new IOException("the connection was lost"));
      return failed;
    }
  }

  /** A body that arrives in this number of pieces. */
  private static final class Pieces extends Body {
    private final long pieces;

    Pieces(long pieces) {
      this.pieces = pieces;
    }

    @Override
    public long length() {
      return UNKNOWN;
    }

    @Override
    public boolean isReplayable() {
      return false;
    }

    @Override
    public InputStream stream() {
      return new InputStream() {
        private long left = pieces;

        @Override
        public int read() {
          throw new AssertionError("read byte by byte");
        }

        @Override
        public int read(byte[] target, int offset, int count) {
          return left-- > 0 ? 1 : -1;
        }
      };
    }
  }
}
