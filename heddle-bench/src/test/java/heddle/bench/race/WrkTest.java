package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WrkTest {

  private static final String OUTPUT =
      """
      Running 2s test @ http://127.0.0.1:8080/hello
        1 threads and 64 connections
        Thread Stats   Avg      Stdev     Max   +/- Stdev
          Latency     1.10ms  500.00us  10.00ms   90.00%
          Req/Sec    50.00k     1.00k   60.00k    70.00%
        Latency Distribution
           50%  850.00us
           75%    1.20ms
           90%    1.75ms
           99%    2.50ms
        100000 requests in 2.00s, 10.00MB read
      Requests/sec:  50000.00
      Transfer/sec:      5.00MB
      0m0.010000s 0m0.020000s
      0m0.250000s 1m0.750000s
      """;

  @Test
  void figuresAreReadFromTheOutput() throws IOException {
    RunFigures figures = Wrk.parse(OUTPUT);
    assertEquals(50_000, figures.requestsPerSecond());
    assertEquals(850, figures.p50Micros());
    assertEquals(2_500, figures.p99Micros());
    assertEquals(610, figures.cpuMicrosPerRequest(), 1e-9);
    assertEquals(Map.of(), figures.errorsByCause());
    assertNull(figures.allocatedBytesPerRequest());
    assertNull(figures.platformThreads());
  }

  @Test
  void errorsAreCountedByKindAndOtherStatusesAreNoAnswers() throws IOException {
    String output = OUTPUT.replace(
        "Requests/sec:",
        """
              Socket errors: connect 0, read 7, write 0, timeout 2
              Non-2xx or 3xx responses: 25000
            Requests/sec:""");
    RunFigures figures = Wrk.parse(output);
    assertEquals(Map.of("read", 7L, "timeout", 2L, "status", 25_000L), figures.errorsByCause());
    assertEquals(37_500, figures.requestsPerSecond());
  }

  @Test
  void outputOfSomethingElseIsRefused() {
    assertThrows(IOException.class, () -> Wrk.parse("unable to connect"));
  }
}
