package heddle.bench.page;

import heddle.bench.page.IndexPage.Entry;
import heddle.bench.page.IndexPage.Link;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import java.util.List;

/** Experiments in every state that there is. */
final class SampleIndex {

  static final String REASON = "a server ended during get-1k-h2tls okhttp, round 3 <of 5>.";

  private SampleIndex() {}

  static List<Entry> entries() {
    return List.of(
        entry("paced-1k", SampleRace.result()),
        entry("paced-10k", partial(SampleRace.result())),
        entry("pool", sound(SampleRace.result())),
        entry("search", sound(SampleRace.result())).failed(REASON),
        Entry.notRun(story("server-threads")).failed(REASON),
        Entry.notRun(story("fixed-heap")));
  }

  static Entry entry(String name, RaceResult result) {
    return Entry.of(
        story(name),
        result,
        List.of(
            new Link("Its page", name + "/race.html"),
            new Link("JSON", name + "/race.json"),
            new Link("CSV", name + "/race.csv")));
  }

  static Story story(String name) {
    return new Story(
        name,
        "What the limits of " + name + " do",
        "50 requests at the same time, each answered after 5 s, over HTTP/1.1. The server counts"
            + " how many it has at once. With a limit all are answered later.",
        0.05,
        List.of(),
        null);
  }

  static RaceResult partial(RaceResult whole) {
    return new RaceResult(
        whole.environment(),
        whole.results(),
        whole.failures(),
        List.of("12 of 40 steps: the race was stopped, and this is a partial result"),
        whole.story(),
        true);
  }

  static RaceResult nobody(RaceResult whole, boolean isPartial) {
    return new RaceResult(
        whole.environment(),
        List.of(),
        isPartial ? List.of() : List.of("heddle: it did not start", "okhttp: nor did it"),
        List.of(),
        whole.story(),
        isPartial);
  }

  private static RaceResult sound(RaceResult race) {
    return new RaceResult(
        race.environment(), race.results(), List.of(), List.of(), race.story(), false);
  }
}
