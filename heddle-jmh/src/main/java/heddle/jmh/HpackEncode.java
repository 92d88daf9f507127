package heddle.jmh;

import heddle.codec.hpack.HpackEncoder;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.hpack.Pseudo;
import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Encodes header blocks on a connection that has sent the same ones before. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HpackEncode {
  private static final String AUTHORITY = "orders.example.com";

  private final HpackEncoder encoder = new HpackEncoder(4_096);
  private final HpackOutput out = new HpackOutput(512);
  private final Headers small =
      Headers.of("User-Agent", "heddle/0.1", "Accept", "application/json");
  private final Headers fields = Messages.requestFields();
  private final Headers responseFields = Messages.responseFields();

  /** Fills the table with another trace and id, so that those in the benchmarks are not known. */
  @Setup
  public void fillTable() {
    request("/", Headers.of("Traceparent", "00-of-another-request-01"));
    request("/", Headers.of("X-Request-Id", "that of another request"));
  }

  /** Every field is in the tables. */
  @Benchmark
  public int knownRequest() {
    return request("/api/v1/orders", small);
  }

  /** A query and a trace, which are written out each time. */
  @Benchmark
  public int requestWithLiterals() {
    return request("/api/v1/orders/4711?expand=lines", fields);
  }

  /** Content-Length and the request's id are written out each time. */
  @Benchmark
  public int response() {
    out.reset();
    encoder.begin(out);
    encoder.field(Pseudo.STATUS, "200");
    fields(responseFields);
    return out.length();
  }

  private int request(String path, Headers headers) {
    out.reset();
    encoder.begin(out);
    encoder.field(Pseudo.METHOD, "GET");
    encoder.field(Pseudo.SCHEME, "https");
    encoder.field(Pseudo.AUTHORITY, AUTHORITY);
    encoder.field(Pseudo.PATH, path);
    fields(headers);
    return out.length();
  }

  private void fields(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      HeaderName name = headers.name(i);
      encoder.field(name, headers, i);
    }
  }
}
