package heddle.bench.experiment;

import heddle.bench.contender.Entrant;
import heddle.bench.driver.Profile;
import heddle.bench.server.Serving;
import heddle.load.schedule.Strand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the entrants of an experiment. */
final class EntrantReader {

  /** The clients that are Heddle's, in the folder of one driver. */
  private static final List<String> HEDDLE = List.of("heddle", "heddle-async", "heddle-discard");

  private EntrantReader() {}

  /** Each listed client on each strand in each profile. */
  static List<Entrant> read(YamlMap map) throws ExperimentException {
    List<String> clients = map.texts("clients");
    if (clients.isEmpty()) {
      throw map.wrong("it lacks the key clients, such as clients: [heddle, jdk]");
    }
    List<Strand> strands = map.list("strands", "virtual", Strand::parse);
    List<Profile> profiles = map.list("profiles", "tuned", Profile::of);
    List<String> flags = map.texts("jvm");
    List<String> without = without(map, clients);
    List<String> cells = map.texts("cells");
    Serving serving = ServingReader.read(map);
    List<Entrant> entrants = new ArrayList<>();
    for (String client : clients) {
      for (Strand strand : strands) {
        for (Profile profile : profiles) {
          Map<String, String> variables =
              Map.of("client", client, "strand", strand.toString(), "profile", profile.label());
          String name =
              map.has("name") ? map.with(variables).text("name") : name(client, strand, profile);
          entrants.add(new Entrant(name, client, profile, strand, flags, without, cells, serving));
        }
      }
    }
    map.done();
    return entrants;
  }

  private static List<String> without(YamlMap map, List<String> clients)
      throws ExperimentException {
    List<String> without = map.texts("without");
    if (!without.isEmpty() && !HEDDLE.containsAll(clients)) {
      throw map.wrong(
          "without",
          "only Heddle can race without an optimisation: choose clients among "
              + String.join(", ", HEDDLE));
    }
    return without;
  }

  /**
   * Defaults are omitted from the name: {@code okhttp}, {@code okhttp@thread}, {@code
   * jdk@defaults}.
   */
  private static String name(String client, Strand strand, Profile profile) {
    return client
        + (strand.equals(Strand.VIRTUAL) ? "" : "@" + strand)
        + (profile == Profile.TUNED ? "" : "@" + profile.label());
  }
}
