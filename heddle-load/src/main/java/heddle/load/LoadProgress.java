package heddle.load;

import java.time.Duration;

/**
 * The progress of a load.
 *
 * @param elapsed the time since the measured part began
 * @param fraction the completed share of the measured part, 0 to 1
 * @param answered complete answers with a status of 200 to 299 so far
 * @param failed requests so far that got no answer or another status
 * @param requestsPerSecond successful answers a second since the last progress
 * @param inFlight the number of unfinished requests; for batches the highest since the last
 *     progress
 * @param sendLagMicros the longest send lag of a request since the last progress; 0 if requests
 *     have no schedule
 */
public record LoadProgress(
    Duration elapsed,
    double fraction,
    long answered,
    long failed,
    double requestsPerSecond,
    long inFlight,
    double sendLagMicros) {}
