package heddle.bench.coldstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Profile;
import heddle.bench.driver.Wire;
import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import heddle.bench.routes.ExperimentRoutes;
import heddle.server.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Heddle's own driver, in JVMs with the class path of this one. */
class ColdStartsTest {

  private static final List<String> FLAGS = List.of("-Xmx64m", "-XX:+UseSerialGC");

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.builder().handler(new ExperimentRoutes()).start();
  }

  @Test
  void firstAnswerIsTimedFromTheStartOfTheProcess() throws Exception {
    long begin = System.nanoTime();
    RunFigures figures = of("heddle").run(uri("/delay/100"), Wire.http1(1));
    double whole = (System.nanoTime() - begin) / 1e6;
    Double sinceStart = figures.of(Figure.FIRST_ANSWER);
    Double sinceMain = figures.of(Figure.FIRST_ANSWER_SINCE_MAIN);
    assertTrue(sinceMain >= 100, figures::toString);
    assertTrue(sinceStart > sinceMain, figures::toString);
    assertTrue(sinceStart <= whole, () -> figures + " in " + whole + " ms");
    assertEquals(1.0, figures.of(Figure.ANSWERED));
    assertTrue(figures.of(Figure.CLASSES) > 400, figures::toString);
    assertTrue(figures.of(Figure.THREADS) > 1, figures::toString);
  }

  @Test
  void startsOfTwoProtocolsBothAnswer() throws Exception {
    assertEquals(1.0, of("heddle").run(uri("/hello"), Wire.http2(1, 1)).of(Figure.ANSWERED));
  }

  @Test
  void whateverHasNoAnswerSaysWhy() {
    assertFailure(of("heddle"), uri("/nowhere"), "404");
    assertFailure(of("unknown"), uri("/hello"), "no driver unknown");
    ColdStarts broken = new ColdStarts("nowhere.jar", "heddle", Profile.DEFAULTS, FLAGS, List.of());
    assertFailure(broken, uri("/hello"), "ended with 1");
  }

  private static void assertFailure(ColdStarts starts, URI uri, String why) {
    IOException failure = assertThrows(IOException.class, () -> starts.run(uri, Wire.http1(1)));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(why), message);
  }

  private static ColdStarts of(String client) {
    return new ColdStarts(
        System.getProperty("java.class.path"), client, Profile.DEFAULTS, FLAGS, List.of());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }
}
