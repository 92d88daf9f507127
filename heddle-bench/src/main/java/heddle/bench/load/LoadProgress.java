package heddle.bench.load;

import java.time.Duration;

/**
 * How far a load is.
 *
 * @param elapsed since the measured part began
 * @param fraction of the measured part that is done, 0 to 1
 * @param answered complete answers with a status of 200 to 299 so far
 * @param failed requests so far that got no answer or another status
 * @param requestsPerSecond successful answers a second since the last progress
 * @param inFlight requests that have begun and not ended; of batches the most since the last
 *     progress
 * @param sendLagMicros by how much the latest request since the last progress was sent late; 0
 *     where requests have no schedule
 */
public record LoadProgress(
    Duration elapsed,
    double fraction,
    long answered,
    long failed,
    double requestsPerSecond,
    long inFlight,
    double sendLagMicros) {}
