package heddle.jmh;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.Role;
import heddle.codec.http1.HeadParser;
import heddle.codec.http1.Http1Session;
import heddle.http.Limits;
import heddle.http.Method;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parses a complete head, each with a new session, which costs two objects. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadParse {
  private final HeadParser scratch = new HeadParser();
  private final ByteBuffer request = Messages.bytes(Messages.REQUEST);
  private final ByteBuffer response = Messages.bytes(Messages.RESPONSE);

  @Benchmark
  public @Nullable Event request() throws ProtocolException {
    return new Http1Session(Role.SERVER, Limits.DEFAULTS, scratch).next(request.rewind(), 0);
  }

  @Benchmark
  public @Nullable Event response() throws ProtocolException {
    Http1Session session = new Http1Session(Role.CLIENT, Limits.DEFAULTS, scratch);
    session.expectResponseTo(Method.GET);
    return session.next(response.rewind(), 0);
  }
}
