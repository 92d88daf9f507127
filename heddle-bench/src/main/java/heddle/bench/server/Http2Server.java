package heddle.bench.server;

/** Which server answers over HTTP/2. */
public enum Http2Server {
  /** nghttpd where it is installed, Heddle's where it is not. */
  AUTO,
  /** Heddle's own. */
  HEDDLE,
  /** nghttpd: a race without it does not begin. */
  NGHTTPD
}
