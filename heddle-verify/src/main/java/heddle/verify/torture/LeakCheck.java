package heddle.verify.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a server has given back what it took for an attack.
 *
 * @param before what it said before, with the victim's connection open
 * @param virtualThreads of the engine that there were before
 */
record LeakCheck(Child child, ServerStatus before, long virtualThreads) {
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  /** What the account of a server may differ by for the one connection of the victim. */
  private static final long HELD_BY_VICTIM = 64 << 10;

  /** The victim's request may be under way, and threads of the JVM come and go. */
  private static final int THREADS_BESIDES = 3;

  /** Allows for one more connection of the victim, and for files that the JVM opens. */
  private static final int DESCRIPTORS_BESIDES = 4;

  static LeakCheck begin(Child child) throws IOException, InterruptedException {
    return new LeakCheck(child, status(child), virtualThreads(child));
  }

  /** What the process says; never null, because one that says nothing is a failure. */
  static ServerStatus status(Child child) throws IOException, InterruptedException {
    ServerStatus status = ServerStatus.of(child);
    if (status == null) {
      throw new IOException("the server's process says nothing: " + child.errors());
    }
    return status;
  }

  private static long virtualThreads(Child child) throws IOException, InterruptedException {
    String said = child.ask("threads");
    if (said == null || !said.startsWith("threads ")) {
      throw new IOException("the server's process says nothing: " + child.errors());
    }
    return Long.parseLong(said.substring(said.indexOf(' ') + 1));
  }

  /** What is left after a while, and what was done that must not be. */
  List<String> failures() throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<String> left = left(status(child));
    while (!left.isEmpty() && System.nanoTime() < end) {
      Thread.sleep(100);
      left = left(status(child));
    }
    return left;
  }

  private List<String> left(ServerStatus after) throws IOException, InterruptedException {
    List<String> left = new ArrayList<>();
    addIfMore(left, "connections", after.connections(), 1);
    addIfMore(left, "requests", after.active(), 1);
    addIfMore(left, "bytes held", after.memoryHeld(), before.memoryHeld() + HELD_BY_VICTIM);
    addIfMore(left, "bytes of heap", after.heapBytes(), before.heapBytes() + ServerTrial.NOISE);
    addIfMore(
        left,
        "platform threads",
        after.platformThreads(),
        before.platformThreads() + THREADS_BESIDES);
    addIfMore(left, "descriptors", after.descriptors(), before.descriptors() + DESCRIPTORS_BESIDES);
    addIfMore(left, "files of uploads", after.uploads(), 0);
    addIfMore(left, "encoders of responses", after.encoders(), 0);
    addIfMore(left, "requests that were not logged", after.unlogged(), 1);
    if (left.isEmpty()) {
      addIfMore(left, "virtual threads", virtualThreads(child), virtualThreads + THREADS_BESIDES);
    }
    addIfMore(left, "requests processed twice", after.repeated(), 0);
    addIfMore(left, "smuggled requests processed", after.smuggled(), 0);
    return left;
  }

  private static void addIfMore(List<String> left, String what, long count, long most) {
    if (count > most) {
      left.add("afterwards " + count + " " + what + ", not at most " + most);
    }
  }
}
