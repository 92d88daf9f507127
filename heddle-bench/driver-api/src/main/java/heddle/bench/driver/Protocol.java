package heddle.bench.driver;

/** A version of HTTP that a client is raced with. */
public enum Protocol {
  /** RFC 9112: one exchange at a time on a connection. */
  HTTP_1_1("HTTP/1.1"),
  /** RFC 9113: by prior knowledge in cleartext (§3.3), by ALPN over TLS (§3.2). */
  HTTP_2("HTTP/2");

  private final String label;

  Protocol(String label) {
    this.label = label;
  }

  /** The name in reports, such as {@code HTTP/2}. */
  public String label() {
    return label;
  }
}
