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
 *     together; 0 where that is next to nothing
 */
public record CellInfo(
    String name,
    String protocol,
    boolean tls,
    int connections,
    int streams,
    String method,
    String path,
    long contentBytes) {

  /** What cells are grouped by: {@code HTTP/2 over TLS}. */
  public String group() {
    return tls ? protocol + " over TLS" : protocol;
  }
}
