package heddle.bench.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AgreementTest {

  private static final int IN_FLIGHT = 64;

  @Test
  void countsThatAgreeRaiseNoDoubt() {
    assertEquals(List.of(), doubts(9_000, 10_000.0, 10_000.0, 64.0, 0));
    assertEquals(List.of(), doubts(9_000, 10_000.0, 10_000.0 + 10, 60.0, 0));
    assertEquals(List.of(), doubts(9_000, 10_000.0, 9_960.0, 64.0, 0));
    assertEquals(List.of(), doubts(9_000, 9_000.0, 9_000.0, 64.0, 0));
    assertEquals(List.of(), doubts(9_000, null, 9_100.0, 64.0, 0));
  }

  @Test
  void serverThatDoesNotCountRaisesNone() {
    assertEquals(List.of(), doubts(9_000, 10_000.0, null, null, 0));
  }

  @Test
  void answersThatTheServerNeverGaveAreFoundOut() {
    String doubt = String.join(";", doubts(9_000, 9_000.0, 8_000.0, 64.0, 0));
    assertTrue(doubt.contains("counted 9000 answers, the server 8000 requests"), doubt);
    assertTrue(doubt.contains("counted only 8000"), doubt);
  }

  @Test
  void requestsThatTheClientRepeatsAreFoundOut() {
    String doubt = String.join(";", doubts(9_000, 10_000.0, 10_011.0, 64.0, 0));
    assertEquals(
        "the client sent 10000 requests, the server counted 10011: it repeats some itself", doubt);
  }

  @Test
  void moreAtOnceThanTheCellAllowsIsFoundOut() {
    assertEquals(
        List.of("the server had 65 requests at once, but 64 were allowed"),
        doubts(9_000, 10_000.0, 10_000.0, 65.0, 0));
    assertEquals(List.of(), doubts(9_000, 10_000.0, 10_000.0, 65.0, 3));
  }

  @Test
  void figuresOfTheServerAreForEachOfItsRequests() throws IOException {
    ServerCounts counts = ServerCounts.parse(
        "{\"requests\":200,\"cpuNanos\":4000000,\"allocatedBytes\":20000,\"peak\":7}");
    assertEquals(
        Map.of(
            Figure.SERVER_REQUESTS, 200.0,
            Figure.SERVER_CPU, 20.0,
            Figure.SERVER_ALLOCATED, 100.0,
            Figure.SERVER_PEAK, 7.0),
        counts.figures());
    assertEquals(Map.of(), ServerCounts.parse("{}").figures());
    assertEquals(
        Map.of(Figure.SERVER_REQUESTS, 0.0),
        ServerCounts.parse("{\"requests\":0,\"cpuNanos\":9}").figures());
  }

  @Test
  void cpuTimeOfAServerThatCountsNoRequestsIsDividedByThoseOfTheClient() throws IOException {
    ServerCounts counts = ServerCounts.parse("{\"cpuNanos\":4000000}");
    assertEquals(Map.of(Figure.SERVER_CPU, 20.0), counts.figures(200.0));
    assertEquals(Map.of(), counts.figures(0.0));
    assertEquals(Map.of(), counts.figures());
  }

  @Test
  void copiesHaveAtOnceWhatTheyHaveInTheSameSecond() throws IOException {
    ServerCounts one = ServerCounts.parse(
        "{\"requests\":9,\"peak\":9,\"peakAfterMillis\":40,\"activeEachSecond\":[9,2]}");
    ServerCounts other = ServerCounts.parse(
        "{\"requests\":7,\"peak\":7,\"peakAfterMillis\":90,\"activeEachSecond\":[1,7,3]}");
    Map<Figure, Double> both = ServerCounts.together(List.of(one, other)).figures();
    assertEquals(16, both.get(Figure.SERVER_REQUESTS));
    assertEquals(10, both.get(Figure.SERVER_PEAK));
    assertEquals(0.09, both.get(Figure.SERVER_PEAK_SECONDS));
  }

  private static List<String> doubts(
      double answered,
      @Nullable Double sent,
      @Nullable Double served,
      @Nullable Double peak,
      long errors) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.ANSWERED, answered);
    put(figures, Figure.SENT, sent);
    put(figures, Figure.SERVER_REQUESTS, served);
    put(figures, Figure.SERVER_PEAK, peak);
    Map<String, Long> causes = errors == 0 ? Map.of() : Map.of("IOException", errors);
    return Agreement.doubts(IN_FLIGHT, new RunFigures(figures, causes));
  }

  private static void put(Map<Figure, Double> figures, Figure figure, @Nullable Double value) {
    if (value != null) {
      figures.put(figure, value);
    }
  }
}
