package heddle.client.coding;

import java.util.zip.Inflater;

/** Makes inflaters: the seam at which tests count them. */
@FunctionalInterface
interface Inflaters {
  /**
   * An inflater, which whoever asks for it ends.
   *
   * @param raw whether the data is deflated (RFC 1951) without a wrapper
   */
  Inflater make(boolean raw);
}
