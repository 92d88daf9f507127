package heddle.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.page.IndexPage.Entry;
import heddle.bench.page.IndexPage.Link;
import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

class IndexPageTest {

  private static final String TEXT = IndexPage.render(SampleIndex.entries());
  private static final Document PAGE = Jsoup.parse(TEXT);

  @Test
  void pageIsWellFormedHtmlWithoutScripts() {
    Parser parser = Parser.htmlParser().setTrackErrors(20);
    Jsoup.parse(TEXT, "", parser);
    assertEquals(List.of(), parser.getErrors());
    assertEquals(0, PAGE.select("script, [src], object, iframe, img, base").size());
    String policy = PAGE.select("meta[http-equiv=Content-Security-Policy]").attr("content");
    assertEquals("default-src 'none'; img-src data:; style-src 'unsafe-inline'", policy);
  }

  @Test
  void experimentsAreInTheirOrderWithTheirStates() {
    List<String> names =
        List.of("paced-1k", "paced-10k", "pool", "search", "server-threads", "fixed-heap");
    assertEquals(names, PAGE.select(".overview tbody th").eachText());
    assertEquals(
        List.of(
            "with failures", "partial with failures", "sound", "failed sound", "failed", "not run"),
        PAGE.select(".overview .state:not(th)").eachText());
    assertEquals(
        names.stream().map(each -> "of-" + each).toList(),
        PAGE.select(".experiment").eachAttr("id"));
    for (Element each : PAGE.select(".overview a")) {
      assertEquals(1, PAGE.select(each.attr("href")).size(), each.outerHtml());
    }
    assertTrue(
        PAGE.select(".top .lead")
            .text()
            .endsWith(": 1 with failures, 1 partial, 1 sound, 2 failed, 1 not run."),
        PAGE.select(".top").text());
    assertTrue(PAGE.select(".top").text().contains("6 experiments in 120 min 50 s"), PAGE.text());
    assertTrue(PAGE.select(".top").text().contains("A processor <of two cores> & no more"));
  }

  @Test
  void verdictIsThatWhichThePageOfTheRaceBeginsWith() {
    Document race = Jsoup.parse(RacePage.render(SampleRace.result()));
    assertEquals(
        race.select("#verdict .tallies").outerHtml(),
        section("paced-1k").select(".tallies").outerHtml());
    List<String> rate = section("paced-1k").select(".tallies > div").stream()
        .filter(each -> each.text().startsWith("Requests answered"))
        .findFirst()
        .orElseThrow()
        .select(".words")
        .eachText();
    assertTrue(rate.getFirst().matches("\\d+ comparisons: \\d+ behind heddle.*"), rate::toString);
    assertTrue(
        rate.getLast().matches("ratios to heddle: 0\\.\\d\\d× to 1\\.\\d\\d×, more is better"),
        rate::toString);
  }

  @Test
  void roundsAndRunsThatDoNotCountAreCounted() {
    List<String> row = PAGE.select(".overview tbody tr").first().select("td").eachText();
    int runs = SampleRace.result().results().stream()
        .mapToInt(each -> each.runs().size())
        .sum();
    assertEquals(List.of("with failures", "5", String.valueOf(runs), "1", "7", "30 min 12 s"), row);
    String facts = section("paced-1k").select("h2 small").text();
    assertEquals("paced-1k · 5 rounds · scale 0.05 · 30 min 12 s · 2026-01-02T03:04:05Z", facts);
  }

  @Test
  void twoSentencesSayWhatItShows() {
    String shows = section("pool").select(".lead").text();
    assertTrue(shows.endsWith("over HTTP/1.1. The server counts how many it has at once."), shows);
  }

  @Test
  void partialRaceSaysSoAboveItsVerdict() {
    Element partial = section("paced-10k");
    assertTrue(partial.select(".cut").text().startsWith("This result is partial."));
    assertTrue(
        partial.html().indexOf("This result is partial") < partial.html().indexOf("tallies"));
    assertEquals(0, section("paced-1k").select(".cut").size());
  }

  @Test
  void failedExperimentStaysWithItsReasonAndWhatAnEarlierRaceHasLeft() {
    Element never = section("server-threads");
    assertEquals("It failed. " + SampleIndex.REASON, never.select(".cut").text());
    assertEquals(0, never.select(".tallies, .links").size());
    Element again = section("search");
    assertTrue(
        again.select(".cut").text().contains("of an earlier race, of 2026-01-02"), again.text());
    assertEquals(3, again.select(".links a").size());
    Entry nobody = SampleIndex.entry("pool", SampleIndex.nobody(SampleRace.result(), false));
    Document page = Jsoup.parse(IndexPage.render(List.of(nobody)));
    assertTrue(
        page.select(".cut").text().contains("heddle: it did not start; okhttp: nor did it"),
        page.text());
    assertEquals("failed", page.select(".overview td").first().text());
  }

  @Test
  void raceThatIsStoppedBeforeAnyRunIsPartialAndHasNotFailed() {
    Entry stopped = SampleIndex.entry("pool", SampleIndex.nobody(SampleRace.result(), true));
    Document page = Jsoup.parse(IndexPage.render(List.of(stopped)));
    assertEquals("partial", page.select(".overview td").first().text());
    assertFalse(page.text().contains("failed"), page.text());
  }

  @Test
  void linksLeadToTheFilesOfTheExperiment() {
    assertEquals(
        List.of("pool/race.html", "pool/race.json", "pool/race.csv"),
        section("pool").select(".links a").eachAttr("href"));
    assertEquals(0, section("fixed-heap").select(".links").size());
  }

  @Test
  void whatHoldsForAllVerdictsIsSaidOnce() {
    List<Entry> oneRound =
        List.of(SampleIndex.entry("pool", ofOneRound()), SampleIndex.entry("search", ofOneRound()));
    Document page = Jsoup.parse(IndexPage.render(oneRound));
    assertEquals(1, page.select(".hint").size());
    assertTrue(page.select("#experiments .hint").text().startsWith("1 round is too few"));
    Document mixed = Jsoup.parse(IndexPage.render(
        List.of(oneRound.getFirst(), SampleIndex.entry("search", SampleRace.result()))));
    assertEquals(1, mixed.select("#of-pool .hint").size());
    assertEquals(1, mixed.select(".hint").size());
  }

  @Test
  void whatExperimentsSayIsEscaped() {
    Story hostile = new Story("a \"b\"><i>", "</h2><script>", "<b onclick=x>.", 1, List.of(), null);
    Entry entry =
        Entry.of(hostile, SampleRace.result(), List.of(new Link("JSON", "\"><img src=x>")));
    Document page = Jsoup.parse(IndexPage.render(List.of(entry.failed("<u>"))));
    assertEquals(0, page.select("script, i, u, img, [onclick]").size());
    assertTrue(page.select("h2").text().contains("</h2><script>"), page.text());
  }

  private static RaceResult ofOneRound() {
    RaceResult race = SampleRace.result();
    Environment of = race.environment();
    Design design = of.design();
    Environment once = new Environment(
        of.date(),
        of.jdk(),
        of.os(),
        of.cpu(),
        of.cores(),
        of.serverCores(),
        of.clientCores(),
        of.jvmFlags(),
        of.versions(),
        of.servers(),
        new Design(
            design.method(),
            design.profile(),
            1,
            design.seed(),
            design.baseline(),
            design.hasControl()),
        of.wallSeconds());
    return new RaceResult(once, race.results(), List.of(), List.of());
  }

  private static Element section(String name) {
    return PAGE.getElementById("of-" + name);
  }
}
