package heddle.jmh;

import heddle.codec.Role;
import heddle.codec.http1.HeadParser;
import heddle.codec.http1.Http1Session;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Method;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Writes the head of a request, each with a new session, which costs two objects. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadWrite {
  private static final long CONTENT_BYTES = 512;

  private final HeadParser scratch = new HeadParser();
  private final Headers fields = Messages.requestFields();

  @Benchmark
  public ByteBuffer get() {
    return write(Method.GET, Http1Session.NO_BODY);
  }

  @Benchmark
  public ByteBuffer post() {
    return write(Method.POST, CONTENT_BYTES);
  }

  @Benchmark
  public ByteBuffer chunkedPost() {
    return write(Method.POST, Http1Session.UNKNOWN);
  }

  private ByteBuffer write(Method method, long contentLength) {
    return new Http1Session(Role.CLIENT, Limits.DEFAULTS, scratch)
        .requestHead(
            method,
            "/api/v1/orders/4711?expand=lines",
            "orders.example.com",
            fields,
            contentLength);
  }
}
