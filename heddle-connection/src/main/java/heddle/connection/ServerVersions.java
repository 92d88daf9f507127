package heddle.connection;

/**
 * Which versions of HTTP a server's connections speak, and how strictly.
 *
 * @param http2 whether clients may speak HTTP/2
 * @param upgrades whether a request of HTTP/1.1 in cleartext may upgrade its connection to HTTP/2
 *     (RFC 7540 §3.2)
 * @param hostRequired whether a request of HTTP/1.1 without a Host field is answered 400, as RFC
 *     9112 §3.2 demands
 */
public record ServerVersions(boolean http2, boolean upgrades, boolean hostRequired) {
  /** HTTP/1.1 and HTTP/2 without upgrades, with a Host field. */
  public static final ServerVersions DEFAULTS = new ServerVersions(true, false, true);
}
