package heddle.client.coding;

import java.util.zip.Inflater;

/** Creates inflaters; tests replace it to count them. */
@FunctionalInterface
interface Inflaters {
  /**
   * Creates an inflater, which the caller ends.
   *
   * @param raw whether the data is deflated (RFC 1951) without a wrapper
   */
  Inflater make(boolean raw);
}
