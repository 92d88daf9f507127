package heddle.bench.server;

/** Which server answers over HTTP/2. */
public enum Http2Server {
  /** nghttpd if it is installed, otherwise Heddle's server. */
  AUTO,
  /** Heddle's server. */
  HEDDLE,
  /** nghttpd, which must be installed. */
  NGHTTPD
}
