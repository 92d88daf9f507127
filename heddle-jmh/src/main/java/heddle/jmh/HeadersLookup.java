package heddle.jmh;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Finds a field by its name, which compares identities if the name is well known. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadersLookup {
  private final Headers fields = Messages.requestFields();
  private final HeaderName custom = HeaderName.of("Traceparent");

  @Benchmark
  public boolean wellKnown() {
    return fields.contains(HeaderName.ACCEPT_ENCODING);
  }

  @Benchmark
  public boolean absent() {
    return fields.contains(HeaderName.CONTENT_LENGTH);
  }

  @Benchmark
  public boolean custom() {
    return fields.contains(custom);
  }

  @Benchmark
  public @Nullable String valueByText() {
    return fields.first("accept-encoding");
  }

  @Benchmark
  public boolean token() {
    return fields.containsToken(HeaderName.ACCEPT_ENCODING, "gzip");
  }
}
