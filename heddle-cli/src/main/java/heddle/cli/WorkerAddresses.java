package heddle.cli;

import heddle.load.cluster.remote.RemotePeer;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of workers, such as {@code 10.0.0.7:7000} or {@code [::1]:7000}. */
final class WorkerAddresses {

  private static final Pattern FORM =
      Pattern.compile("\\[(?<six>[0-9A-Fa-f:.]+)\\]:(?<sixPort>\\d{1,5})"
          + "|(?<host>[^\\[\\]:]+):(?<port>\\d{1,5})");

  private static final int LAST_PORT = 65_535;

  private WorkerAddresses() {}

  /** Reads a list, separated by commas; throws {@link IllegalArgumentException} if malformed. */
  static List<InetSocketAddress> list(String text) {
    List<InetSocketAddress> all =
        Arrays.stream(text.split(",", -1)).map(WorkerAddresses::parse).toList();
    for (int i = 0; i < all.size(); i++) {
      if (all.indexOf(all.get(i)) < i) {
        throw new IllegalArgumentException(
            RemotePeer.name(all.get(i)) + " is given twice: a worker makes one share");
      }
    }
    return all;
  }

  /** Reads one address. */
  static InetSocketAddress parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (form.matches()) {
      boolean isSix = form.group("six") != null;
      int port = Integer.parseInt(form.group(isSix ? "sixPort" : "port"));
      if (port <= LAST_PORT) {
        return new InetSocketAddress(form.group(isSix ? "six" : "host"), port);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not the address of a worker: write HOST:PORT, such as 10.0.0.7:7000");
  }
}
