package heddle.server.accept;

import heddle.connection.MemoryBudget;

/**
 * How many connections and requests a server admits by default: as many as its memory budget and
 * the descriptors of the process allow.
 *
 * <p>Half of the budget is for connections at their fixed cost ({@link
 * MemoryBudget#CONNECTION_BYTES}, {@link MemoryBudget#TLS_CONNECTION_BYTES}), so that idle ones
 * cannot use it up; and a quarter of the descriptors, 32 to 1,024 of them, is left to the rest of
 * the process and to connections that are refused. All of the budget divided by {@link
 * MemoryBudget#REQUEST_BYTES} is the number of requests. A budget of 1 GiB and 65,536 descriptors
 * make 64,512 connections in cleartext, 21,845 under TLS, and 43,690 requests.
 *
 * @param refusals connections that may be refused at the same time
 */
public record Capacity(int connections, int requests, int refusals) {
  /** The numbers for a memory budget and as many descriptors as the process may have. */
  public static Capacity of(long budgetBytes, long descriptors, boolean tls) {
    int cost = connectionBytes(tls);
    long spare = Math.clamp(descriptors / 4, 32, 1024);
    return new Capacity(
        clamp(Math.min(budgetBytes / 2 / cost, descriptors - spare), Integer.MAX_VALUE),
        clamp(budgetBytes / MemoryBudget.REQUEST_BYTES, Integer.MAX_VALUE),
        clamp(Math.min(budgetBytes / 8 / cost, descriptors / 4), tls ? 256 : 8_192));
  }

  private static int clamp(long count, int most) {
    return Math.clamp(count, 16, most);
  }

  /** What an idle connection costs. */
  static int connectionBytes(boolean tls) {
    return tls ? MemoryBudget.TLS_CONNECTION_BYTES : MemoryBudget.CONNECTION_BYTES;
  }
}
