package heddle.bench.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Effects;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import heddle.load.cluster.json.Json;
import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jsoup.select.Elements;
import org.junit.jupiter.api.Test;

class RacePageTest {

  private static final RaceResult SAMPLE = SampleRace.result();
  private static final String TEXT = RacePage.render(SAMPLE);
  private static final Document PAGE = Jsoup.parse(TEXT);

  @Test
  void pageIsWellFormedHtml() {
    Parser parser = Parser.htmlParser().setTrackErrors(20);
    Jsoup.parse(TEXT, "", parser);
    assertEquals(List.of(), parser.getErrors());
  }

  @Test
  void idsAreUniqueAndLinksLeadToThem() {
    Set<String> ids = new HashSet<>();
    for (Element each : PAGE.select("[id]")) {
      assertTrue(ids.add(each.id()), each.id());
    }
    for (Element each : PAGE.select("[href^=#]")) {
      assertTrue(ids.contains(each.attr("href").substring(1)), each.outerHtml());
    }
  }

  @Test
  void cellThatTheServerDoesNotCountSaysSo() {
    String said = "no second count: nghttpd 1.52.0";
    assertEquals(List.of(said), PAGE.select("#cell-get-1k-h2tls .remarks li").eachText());
    assertEquals(List.of(), PAGE.select("#cell-h1-64 .remarks li").eachText());
  }

  @Test
  void nothingIsLoadedFromAnywhere() {
    for (Element each : PAGE.select("[src], [srcset], link[href], object, iframe, img, base")) {
      assertTrue(each.attr("href").startsWith("data:"), each.outerHtml());
    }
    String style = PAGE.select("style").html();
    assertFalse(style.contains("url(") || style.contains("@import"), "the style sheet loads");
    String policy = PAGE.select("meta[http-equiv=Content-Security-Policy]").attr("content");
    assertTrue(policy.startsWith("default-src 'none'"), policy);
  }

  @Test
  void policyAllowsThePagesOwnScriptsAlone() throws Exception {
    String policy = PAGE.select("meta[http-equiv=Content-Security-Policy]").attr("content");
    Elements scripts = PAGE.select("script:not([type])");
    assertEquals(1, scripts.size());
    byte[] packed = Base64.getDecoder().decode(PAGE.select("#library").first().data());
    String library =
        new String(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes(), UTF_8);
    for (String each : List.of(scripts.first().data(), library)) {
      assertTrue(policy.contains("'" + Resources.hash(each) + "'"), policy);
      assertFalse(each.contains("sourceMappingURL"), "a browser would look for the map");
    }
    assertFalse(policy.substring(policy.indexOf("script-src")).contains("unsafe"), policy);
  }

  @Test
  void whatClientsAndMachinesSayIsEscaped() {
    assertTrue(PAGE.select(".meta").text().contains("A processor <of two cores> & no more"));
    assertTrue(PAGE.select("#errors td").eachText().contains("</script> & refused"));
    RaceResult hostile = withClient("</script><b onclick=\"x\">&'");
    Document page = Jsoup.parse(RacePage.render(hostile));
    assertEquals(0, page.select("[onclick]").size());
    assertEquals(
        "</script><b onclick=\"x\">&'",
        page.select(".ranking tbody th").eachText().stream()
            .filter(each -> each.startsWith("<"))
            .findFirst()
            .orElse(""));
    assertTrue(Json.read(page.select("#charts").first().data(), List.class).size() > 10);
  }

  @Test
  void everyChartOfThePageHasItsData() {
    List<?> data = Json.read(PAGE.select("#charts").first().data(), List.class);
    Pattern id = Pattern.compile("id=([^,}]+)");
    List<String> drawn = PAGE.select("canvas").eachAttr("data-chart");
    List<String> known = data.stream()
        .map(String::valueOf)
        .map(each -> id.matcher(each).results().findFirst().orElseThrow().group(1))
        .toList();
    assertEquals(Set.copyOf(known), Set.copyOf(drawn));
    assertEquals(drawn.size(), known.size());
    for (String end : List.of("-response", "-lag", "-time-rss", "-time-lag", "-rounds-p99Micros")) {
      assertTrue(known.contains("cell-paced-1k" + end), end);
    }
    assertFalse(known.contains("cell-h1-64-lag"), "a load without a schedule has no lag");
  }

  @Test
  void clientsAreRankedByWhatTheyReached() {
    Element ranking = ranking("h1-64", "Requests answered");
    List<String> clients = ranking.select("tbody th").eachText();
    List<String> byRate = ranking.select("tbody tr").stream()
        .map(each -> each.select("th").first().ownText().strip())
        .sorted(Comparator.comparingDouble(each -> -median("h1-64", each)))
        .toList();
    assertEquals(
        byRate,
        ranking.select("tbody th").stream().map(each -> each.ownText().strip()).toList());
    assertEquals("wrk", clients.getFirst());
    assertFalse(clients.contains("heddle(control)"), "the control is no contestant");
    Element jdk = row(ranking, "jdk");
    assertTrue(jdk.text().contains("slower"), jdk.text());
    assertTrue(jdk.select("th").text().contains("noisy"), jdk.text());
    String ratio = jdk.select(".value").get(1).wholeText();
    assertTrue(ratio.matches("0\\.\\d\\d×0\\.\\d\\d–0\\.\\d\\d×"), ratio);
  }

  @Test
  void barsStartAtZeroAndAreAsLongAsTheirValues() {
    Element ranking = ranking("h1-64", "Requests answered");
    double wrk = width(row(ranking, "wrk"));
    double heddle = width(row(ranking, "heddle"));
    double expected = median("h1-64", "heddle") / median("h1-64", "wrk");
    assertEquals(expected, heddle / wrk, 1e-3);
    assertTrue(wrk <= 100);
  }

  @Test
  void verdictsAreToldByColourByShapeAndByWord() {
    for (Element row : cell("h1-64").select(".forest tbody tr")) {
      String mark = row.select("use").attr("class");
      assertEquals("#m-" + mark, row.select("use").attr("href"));
      assertTrue(row.select(".word").hasClass(mark), row.outerHtml());
      assertFalse(row.select(".word").text().isEmpty());
    }
    Element memory = PAGE.select(".forest").stream()
        .filter(each -> each.text().startsWith("Allocated for each request"))
        .findFirst()
        .orElseThrow();
    assertEquals("more", row(memory, "okhttp").select(".word").text());
    assertEquals("control", row(memory, "heddle(control)").select(".word").text());
    assertEquals(0, memory.select("tbody th:contains(wrk)").size(), "it has no heap");
  }

  @Test
  void runsThatDoNotCountAreSaidWithTheReason() {
    Element doubts = cell("h1-64").select(".doubts").first();
    assertTrue(doubts.text().contains("round 3: the client counted 81,022 answers"), doubts.text());
    assertTrue(doubts.text().contains("jdk noisy"), doubts.text());
  }

  @Test
  void failuresHaveKindPhaseAndCause() {
    Element row = PAGE.select("#errors tbody tr").first();
    assertEquals("jetty", row.select("th").text());
    assertEquals(
        List.of("h1-512", "30", "refused", "connect", "ConnectException"),
        List.of(0, 1, 3, 4, 5).stream()
            .map(each -> row.select("td").get(each).text())
            .toList());
  }

  @Test
  void controlAndPublishedFiguresAreOnThePage() {
    assertTrue(PAGE.select(".resolution").first().text().contains("Requests answered"));
    assertTrue(PAGE.select("#then-and-now").text().contains("7139, 2359 ms"));
    assertTrue(PAGE.select("#appendix pre").first().text().startsWith("./heddle race paced-1k"));
  }

  @Test
  void whatThereIsNoDataForIsLeftOut() {
    Environment environment = SAMPLE.environment();
    List<Measurement> bare = SAMPLE.results().stream()
        .filter(each -> each.cell().name().equals("h1-64"))
        .map(each -> Medians.of(
            each.cell(),
            each.client(),
            each.runs().stream()
                .filter(run -> run.round() == 1)
                .map(run -> new Run(1, run.figures(), run.soundness()))
                .toList()))
        .toList();
    Design design = environment.design();
    RaceResult alone = new RaceResult(environment, Effects.of(bare, design), List.of(), List.of());
    Document page = Jsoup.parse(RacePage.render(alone));
    assertEquals(
        0, page.select("canvas, script, #errors, #sweeps, #then-and-now").size());
    assertEquals(1, page.select("section.cell").size());
    for (Element each : page.select("table, ul, tbody, .charts, .rankings, .forests")) {
      assertTrue(each.childrenSize() > 0, each.parent().outerHtml());
    }
  }

  @Test
  void heldRequestsAreRankedByHowManyWereHeld() {
    CellInfo held =
        new CellInfo("held", "HTTP/2", false, 410, 100, "GET", "/hold", 6, LoadKind.HELD, 41_000);
    List<Measurement> both = List.of(
        Medians.of(held, "heddle", List.of(held(41_000, 8.5))),
        Medians.of(held, "okhttp@thread", List.of(held(15_715, 12.25))));
    RaceResult result = new RaceResult(
        SAMPLE.environment(),
        Effects.of(both, SAMPLE.environment().design()),
        List.of(),
        List.of());
    Document page = Jsoup.parse(RacePage.render(result));
    Element ranking = page.select(".ranking").first();
    assertTrue(ranking.text().startsWith("Requests held at once, at most"), ranking.text());
    assertTrue(row(ranking, "heddle").text().contains("41,000"), ranking.text());
    assertTrue(row(ranking, "okhttp@thread").text().contains("0.38×"), ranking.text());
    assertTrue(page.text().contains("12.3 s"), page.text());
    assertEquals(0, page.select("#then-and-now, #sweeps, canvas, .doubts").size());
  }

  @Test
  void raceOfCellsOpensWithItsSentenceAndAChartOfCosts() {
    Document page = Jsoup.parse(RacePage.render(SampleRace.ofCells()));
    Element answer = page.select("main > section").first();
    assertEquals("answer", answer.id());
    String sentence = answer.select(".sentence").text();
    assertTrue(sentence.startsWith("On this machine your client's requests cost "), sentence);
    assertTrue(answer.select(".ranking").first().text().startsWith("HTTP/1.1, 64 connections"));
    assertEquals(0, PAGE.select("#answer").size(), "an experiment has its own question");
  }

  @Test
  void clientHasOneColourInEveryBar() {
    Map<String, Set<String>> colours = new HashMap<>();
    for (Element row : PAGE.select(".ranking tbody tr")) {
      colours
          .computeIfAbsent(row.select("th").first().ownText().strip(), _ -> new HashSet<>())
          .add(row.select(".bar").attr("fill"));
    }
    colours.forEach((client, its) -> assertEquals(1, its.size(), client + its));
    assertEquals(Set.of("var(--ours)"), colours.get("heddle"));
    assertNotEquals(colours.get("jdk"), colours.get("okhttp"));
  }

  @Test
  void cellShowsItsRankingsAndFoldsTheRest() {
    Element cell = cell("h1-64");
    for (Element each : cell.select(".forest, canvas, table.plain")) {
      assertNotNull(each.closest("details"), each.className());
    }
    assertEquals(5, cell.select("> .rankings > .ranking").size());
  }

  private static Element ranking(String cell, String title) {
    return cell(cell).select(".ranking").stream()
        .filter(each -> each.text().startsWith(title))
        .findFirst()
        .orElseThrow();
  }

  private static Run held(double most, double seconds) {
    RunFigures figures =
        new RunFigures(Map.of(Figure.HELD_MOST, most, Figure.HELD_SECONDS, seconds), Map.of());
    return new Run(1, figures, new Soundness.Valid());
  }

  @Test
  void raceThatWasStoppedIsPartialAtTheTopOfItsPage() {
    Document page = Jsoup.parse(RacePage.render(SampleIndex.partial(SAMPLE)));
    Element header = page.select("header").first();
    assertEquals("partial", header.select(".badge").first().text());
    assertTrue(header.text().contains("The race was stopped before its end"), header.text());
    assertTrue(page.title().contains("(partial)"), page.title());
    assertFalse(PAGE.select("header").text().contains("partial"));
    assertFalse(PAGE.title().contains("partial"));
  }

  @Test
  void raceOfNobodyIsAPageTooAndSaysWhatFailed() {
    RaceResult none = new RaceResult(
        SAMPLE.environment(), List.of(), List.of("h1-64 heddle: it did not start"), List.of());
    Document page = Jsoup.parse(RacePage.render(none));
    assertTrue(page.text().contains("it did not start"), page.text());
    assertEquals(0, page.select("section.cell").size());
  }

  private static RaceResult withClient(String name) {
    List<Measurement> renamed = SAMPLE.results().stream()
        .map(each ->
            each.client().equals("okhttp") ? Medians.of(each.cell(), name, each.runs()) : each)
        .toList();
    return new RaceResult(SAMPLE.environment(), renamed, List.of(name), List.of(name));
  }

  private static Element cell(String name) {
    return PAGE.getElementById("cell-" + name);
  }

  private static Element row(Element table, String client) {
    return table.select("tbody tr").stream()
        .filter(each -> each.select("th").first().ownText().strip().equals(client))
        .findFirst()
        .orElseThrow();
  }

  private static double width(Element row) {
    return Double.parseDouble(row.select(".bar").attr("width").replace("%", ""));
  }

  private static double median(String cell, String client) {
    return SAMPLE.results().stream()
        .filter(each -> each.cell().name().equals(cell) && each.client().equals(client))
        .findFirst()
        .orElseThrow()
        .of(Figure.RATE);
  }
}
