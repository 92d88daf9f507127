package heddle.verify.torture;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Code in the same process that takes what there is, for a while. */
final class Neighbour {
  /** How long it keeps what it takes. */
  static final Duration TAKEN = Duration.ofSeconds(2);

  private Neighbour() {}

  static String fillHeap() {
    var taken = new ArrayList<byte[]>(100_000);
    for (int size = 1 << 20; size >= 1 << 10; size /= 4) {
      try {
        while (true) {
          taken.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        // As much is taken as there is in pieces of this size.
      }
    }
    sleep();
    int pieces = taken.size();
    taken.clear();
    return "released " + pieces;
  }

  static String useUpDescriptors() throws IOException {
    List<InputStream> files = new ArrayList<>(10_000);
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      sleep();
      for (InputStream file : files) {
        file.close();
      }
      return "released " + files.size();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(TAKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
