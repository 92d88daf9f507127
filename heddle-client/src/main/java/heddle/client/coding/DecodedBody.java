package heddle.client.coding;

import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A received body, decoded. Its decoders are made when it is first read, and freed at its end, when
 * reading fails, when the body or its stream is closed, or, by themselves, as garbage.
 */
final class DecodedBody extends Body {
  private final Body coded;
  private final List<ContentCoding> codings;
  private final DecodingLimits limits;

  private volatile @Nullable InputStream opened;

  /**
   * @param codings in the order in which they were applied
   */
  DecodedBody(Body coded, List<ContentCoding> codings, DecodingLimits limits) {
    this.coded = coded;
    this.codings = List.copyOf(codings);
    this.limits = limits;
  }

  /** {@link #UNKNOWN}: the decoded length is known only after decoding. */
  @Override
  public long length() {
    return UNKNOWN;
  }

  @Override
  public boolean isReplayable() {
    return coded.isReplayable();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return coded.mediaType();
  }

  @Override
  public InputStream stream() throws IOException {
    Expansion expansion = new Expansion(limits);
    InputStream in = expansion.counting(coded.stream());
    for (ContentCoding coding : codings.reversed()) {
      in = new DecodingInput(coding, in, expansion);
    }
    if (!coded.isReplayable()) {
      opened = in;
    }
    return in;
  }

  /**
   * Discards the content as it arrives, without decoding it.
   *
   * @return the number of coded bytes
   */
  @Override
  public long discard() throws IOException {
    return coded.discard();
  }

  @Override
  public void close() throws IOException {
    InputStream in = opened;
    if (in != null) {
      in.close();
    }
    coded.close();
  }
}
