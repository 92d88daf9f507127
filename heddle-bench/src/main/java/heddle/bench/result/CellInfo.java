package heddle.bench.result;

/**
 * A kind of load, as reports tell it.
 *
 * @param name such as {@code h2tls-1x100}
 * @param protocol such as {@code HTTP/2}
 * @param tls whether connections are encrypted
 * @param connections how many a client may open
 * @param streams how many exchanges may run on each at once
 * @param method of the requests
 * @param path what is asked for
 * @param contentBytes how much content goes over the wire with each request, sent and received
 *     together
 * @param kind when requests are sent
 * @param inFlight how many requests are under way at once, at most; of an open load, how many are
 *     expected to be
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

  /** Fewer bytes say nothing of what a byte costs. */
  private static final long LARGE = 64 * 1024;

  /** What cells are grouped by: {@code HTTP/2 over TLS}. */
  public String group() {
    return tls ? protocol + " over TLS" : protocol;
  }

  /** Whether content is what a request here is made of. */
  public boolean isLarge() {
    return contentBytes >= LARGE;
  }

  /** How clients are connected, in words: {@code 4 connections with 64 streams each}. */
  public String wiring() {
    String all = connections == 1 ? "1 connection" : connections + " connections";
    return streams == 1
        ? all
        : all + " with " + streams + " streams" + (connections == 1 ? "" : " each");
  }
}
