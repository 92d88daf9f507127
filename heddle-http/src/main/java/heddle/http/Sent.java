package heddle.http;

import java.util.Locale;

/** Whether a request had been sent when its call failed, so that it may have been processed. */
public enum Sent {
  /** No byte of it left, or the peer said that it was not processed. */
  NO,
  /** All of it left. */
  YES,
  /** A part of it left, or that is not known. */
  UNKNOWN;

  /** What is known of two requests together: whether any of them was sent. */
  public Sent or(Sent other) {
    if (this == YES || other == YES) {
      return YES;
    }
    return this == UNKNOWN ? this : other;
  }

  /** In small letters, for a message. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
