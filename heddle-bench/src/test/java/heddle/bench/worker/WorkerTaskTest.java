package heddle.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Profile;
import heddle.bench.load.Extent;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import heddle.bench.load.Pace.Arrivals;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerTaskTest {

  private static final URI URL = URI.create("http://127.0.0.1:8080/delay/1?a=b");

  @Test
  void closedTaskTravelsOnACommandLine() {
    LoadPlan plan = new LoadPlan(
        URL,
        new Pace.Closed(64),
        new Extent.Lasting(Duration.ofMillis(1500)),
        Duration.ofSeconds(2));
    WorkerTask task =
        new WorkerTask("okhttp", Profile.DEFAULTS, List.of(), List.of(plan), List.of());
    assertEquals(task, WorkerTask.parse(task.toArguments()));
  }

  @Test
  void openTaskTravelsOnACommandLine() {
    LoadPlan plan =
        new LoadPlan(URL, new Pace.Open(999.5, 10, Arrivals.POISSON), new Extent.Requests(11_000));
    WorkerTask task =
        new WorkerTask("jdk", Profile.TUNED, List.of(plan), List.of(plan, plan), List.of(1, 3));
    assertEquals(task, WorkerTask.parse(task.toArguments()));
  }

  @Test
  void taskNamesWhatItLacks() {
    var thrown = assertThrows(
        IllegalArgumentException.class,
        () -> WorkerTask.parse(List.of("uri=http://a.test/", "callers=1")));
    assertTrue(thrown.getMessage().contains("nanos"), thrown.getMessage());
  }

  @Test
  void reportTravelsAsOneLineOfJson() throws IOException {
    WorkerReport report = new WorkerReport(
        "jdk",
        "25",
        1234.5,
        50.25,
        99.5,
        10,
        Map.of("status 503", 3L),
        42.5,
        1536,
        1L << 33,
        20,
        -1,
        17,
        9);
    assertEquals(1, report.toJson().lines().count());
    assertEquals(report, WorkerReport.parse(report.toJson()));
  }

  @Test
  void reportThatIsNoneIsRefused() {
    assertThrows(IOException.class, () -> WorkerReport.parse("Exception in thread main"));
    assertThrows(IOException.class, () -> WorkerReport.parse("{\"client\": \"jdk\"}"));
  }
}
