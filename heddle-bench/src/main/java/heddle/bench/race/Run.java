package heddle.bench.race;

import java.time.Duration;

/**
 * One client once in one cell.
 *
 * @param cell the load
 * @param client the client's name
 * @param round from 1
 */
record Run(Cell cell, String client, int round) {

  boolean isWrk() {
    return client.equals(Wrk.NAME);
  }

  String label() {
    return cell.label() + " " + client + ", round " + round;
  }

  /** How long the run should take. */
  Duration planned(Windows windows, Duration startUp) {
    return isWrk()
        ? Duration.ofSeconds(Wrk.seconds(windows.closed()))
        : cell.duration(windows).plus(startUp);
  }
}
