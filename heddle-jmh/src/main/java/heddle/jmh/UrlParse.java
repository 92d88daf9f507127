package heddle.jmh;

import heddle.http.MalformedUrlException;
import heddle.http.Request;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Creates a request from the text of a URL. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class UrlParse {
  private String name = "http://orders.example.com:8080/api/v1/orders/4711?expand=lines";
  private String literal = "http://[2001:db8::1]/";

  @Benchmark
  public Request name() throws MalformedUrlException {
    return Request.get(name);
  }

  @Benchmark
  public Request ipv6Literal() throws MalformedUrlException {
    return Request.get(literal);
  }
}
