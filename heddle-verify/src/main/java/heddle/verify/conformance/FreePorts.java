package heddle.verify.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address that were free a moment ago, for tools that choose none.
 */
public final class FreePorts {
  /** Below the ports that systems assign to outgoing connections. */
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 100;

  private FreePorts() {}

  /** Prints the first of as many ports in a row as the argument says. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1 || !args[0].matches("[1-9]\\d{0,2}")) {
      System.err.println("free ports: give how many, from 1 to 999");
      System.exit(2);
    }
    System.out.println(inARow(Integer.parseInt(args[0])));
  }

  /** The first of {@code count} ports in a row. */
  static int inARow(int count) throws IOException {
    IOException failure = new IOException("no attempt made");
    for (int i = 0; i < ATTEMPTS; i++) {
      int from = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - count);
      try {
        tryAll(from, count);
        return from;
      } catch (IOException taken) {
        failure = taken;
      }
    }
    throw new IOException("found no " + count + " free ports in a row", failure);
  }

  private static void tryAll(int from, int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int port = from; port < from + count; port++) {
        held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
      }
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }
}
