package heddle.client.coding;

import heddle.client.settings.DecodingLimits;
import heddle.http.HttpException;
import heddle.http.failure.MessageTooLargeException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * How much one body has expanded. Each layer is compared with the bytes received from the network,
 * so that several layers cannot exceed the limits of one. For one reading thread.
 */
final class Expansion {
  private final DecodingLimits limits;
  private long received;

  Expansion(DecodingLimits limits) {
    this.limits = limits;
  }

  /** A stream that counts the bytes read from it as received. */
  InputStream counting(InputStream coded) {
    return new FilterInputStream(coded) {
      @Override
      public int read() throws IOException {
        int octet = in.read();
        received += octet < 0 ? 0 : 1;
        return octet;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int n = in.read(target, offset, length);
        received += Math.max(0, n);
        return n;
      }
    };
  }

  /**
   * @param decoded bytes that a layer has made so far
   * @throws MessageTooLargeException if that exceeds a limit
   */
  void check(long decoded) throws MessageTooLargeException {
    if (decoded > limits.maxBytes()) {
      throw tooLarge("the limit is " + limits.maxBytes() + " bytes (maxBytes)", decoded);
    }
    long beyond = decoded - limits.freeBytes();
    // Divided, not multiplied: the product might overflow.
    if (beyond > 0 && (beyond - 1) / limits.maxRatio() >= received) {
      throw tooLarge(
          "beyond the first " + limits.freeBytes() + ", at most " + limits.maxRatio()
              + " are allowed for each (maxRatio)",
          decoded);
    }
  }

  private MessageTooLargeException tooLarge(String limit, long decoded) {
    return HttpException.advise(
        new MessageTooLargeException(
            "the response's content has grown to " + decoded + " bytes or more from " + received
                + " received, and " + limit,
            null,
            null),
        ": raise it for servers that you trust");
  }
}
