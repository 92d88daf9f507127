package heddle.har;

import org.jspecify.annotations.Nullable;

/** What is known of the content of a response. */
final class ReceivedContent {
  /** Null if they were not recorded. */
  final byte @Nullable [] octets;

  /** How many octets were read, decoded. */
  final long length;

  /** How many octets arrived, coded; -1 if that is unknown. */
  final long transferred;

  /** Whether the caller read it to its end. */
  final boolean whole;

  /** Says what is missing; null if nothing is. */
  final @Nullable String comment;

  ReceivedContent(
      byte @Nullable [] octets,
      long length,
      long transferred,
      boolean whole,
      @Nullable String comment) {
    this.octets = octets;
    this.whole = whole;
    this.length = length;
    this.transferred = transferred;
    this.comment = comment;
  }

  /** Nothing is known of it but a reason, if there is one. */
  static ReceivedContent none(@Nullable String comment) {
    return new ReceivedContent(null, 0, Har.UNKNOWN, true, comment);
  }
}
