package heddle.client.interim;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.http.Body;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;

/** A body that can be opened once, and tells how often it was. */
final class Content extends Body {
  private final byte[] bytes;
  private final long length;
  final AtomicInteger opened = new AtomicInteger();

  private Content(String text, long length) {
    this.bytes = text.getBytes(ISO_8859_1);
    this.length = length;
  }

  static Content ofKnownLength(String text) {
    return new Content(text, text.length());
  }

  static Content ofUnknownLength(String text) {
    return new Content(text, UNKNOWN);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return false;
  }

  @Override
  public InputStream stream() {
    if (opened.getAndIncrement() > 0) {
      throw new IllegalStateException("opened twice");
    }
    return new ByteArrayInputStream(bytes);
  }
}
