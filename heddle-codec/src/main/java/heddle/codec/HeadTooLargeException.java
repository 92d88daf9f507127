package heddle.codec;

/**
 * A head or trailer section is larger than the peer has said that it accepts, so it was not sent.
 * The connection stays usable.
 */
public final class HeadTooLargeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public HeadTooLargeException(long bytes, int limit) {
    super("its fields are " + bytes + " bytes, and the peer takes " + limit
        + ": send fewer or shorter ones");
  }
}
