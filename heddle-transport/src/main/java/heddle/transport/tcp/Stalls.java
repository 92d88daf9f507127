package heddle.transport.tcp;

/** How long the writers of a channel have waited for its peer: few channels have any. */
final class Stalls {
  /** In all. */
  long nanos;

  /** Since the socket took a byte last. */
  long silentNanos;
}
