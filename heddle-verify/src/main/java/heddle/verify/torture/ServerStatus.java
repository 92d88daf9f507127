package heddle.verify.torture;

import heddle.server.HttpServer;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What the process of a server says of itself.
 *
 * @param heapBytes live after a collection
 * @param connections open before that collection or after it, whichever is more: some come and go
 *     meanwhile
 * @param repeated requests that were processed again
 * @param smuggled requests to a path that only what hides in another request asks for
 * @param uploads temporary files of a site
 * @param encoders of a site, which compress responses
 * @param unlogged requests to a site whose line the access log has not written
 */
record ServerStatus(
    long heapBytes,
    long connections,
    long active,
    long memoryHeld,
    long peakMemoryHeld,
    long memoryBudget,
    long refusedConnections,
    long droppedConnections,
    long platformThreads,
    long descriptors,
    long repeated,
    long smuggled,
    long uploads,
    long encoders,
    long unlogged) {
  private static final String FIRST = "status ";

  /** @param ownCounts those of the application, which come last */
  static String line(HttpServer server, long... ownCounts) {
    long before = server.connections();
    long heapBytes = ProcessState.liveBytes();
    LongStream counts = LongStream.of(
        heapBytes,
        Math.max(before, server.connections()),
        server.active(),
        server.memoryHeld(),
        server.peakMemoryHeld(),
        server.memoryBudget(),
        server.refusedConnections(),
        server.droppedConnections(),
        ProcessState.platformThreads(),
        ProcessState.descriptors());
    return LongStream.concat(counts, LongStream.of(ownCounts))
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" ", FIRST, ""));
  }

  /** Asks the process; null if it did not answer in time. */
  static @Nullable ServerStatus of(Child child) throws InterruptedException {
    String line = child.ask("status");
    if (line == null || !line.startsWith(FIRST)) {
      return null;
    }
    long[] said = Arrays.stream(line.substring(FIRST.length()).split(" ", -1))
        .mapToLong(Long::parseLong)
        .toArray();
    return new ServerStatus(
        said[0], said[1], said[2], said[3], said[4], said[5], said[6], said[7], said[8], said[9],
        said[10], said[11], said[12], said[13], said[14]);
  }
}
