package heddle.bench.result;

/**
 * The description of a cell in reports.
 *
 * @param name such as {@code h2tls-1x100}
 * @param protocol such as {@code HTTP/2}
 * @param tls whether connections are encrypted
 * @param connections how many a client may open
 * @param streams how many exchanges may run on each at once
 * @param method the method of the requests
 * @param path the path of the requests
 * @param contentBytes bytes of content per request, sent and received together
 * @param kind when requests are sent
 * @param inFlight the most concurrent requests; for an open load, the expected number
 */
public record CellInfo(
    String name,
    String protocol,
    boolean tls,
    int connections,
    int streams,
    String method,
    String path,
    long contentBytes,
    LoadKind kind,
    int inFlight) {

  /** With fewer bytes, the cost per byte cannot be measured. */
  private static final long LARGE = 64 * 1024;

  /** The group of the cell, such as {@code HTTP/2 over TLS}. */
  public String group() {
    return tls ? protocol + " over TLS" : protocol;
  }

  /** What tells it from other cells: {@code HTTP/2 over TLS, 1 connection with 100 streams}. */
  public String label() {
    return group() + ", " + wiring();
  }

  /** Whether requests have large content. */
  public boolean isLarge() {
    return contentBytes >= LARGE;
  }

  /** The connections in words: {@code 4 connections with 64 streams each}. */
  public String wiring() {
    String all = connections == 1 ? "1 connection" : connections + " connections";
    return streams == 1
        ? all
        : all + " with " + streams + " streams" + (connections == 1 ? "" : " each");
  }
}
