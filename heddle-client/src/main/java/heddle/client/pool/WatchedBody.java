package heddle.client.pool;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * A body that has not arrived completely, as its reader sees it. The connection refers to the body
 * that it fills, but neither to this one nor to the stream that is opened here: when neither is
 * reachable any more, no thread can read the rest.
 */
final class WatchedBody extends Body {
  private final Body content;

  WatchedBody(Body content) {
    this.content = content;
  }

  @Override
  public long length() {
    return content.length();
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public InputStream stream() throws IOException {
    return new Content(this, content.stream());
  }

  @Override
  public long discard() throws IOException {
    try {
      return content.discard();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void close() throws IOException {
    content.close();
  }

  /** Keeps the body reachable while a thread reads. */
  private static final class Content extends FilterInputStream {
    private final WatchedBody body;

    Content(WatchedBody body, InputStream content) {
      super(content);
      this.body = body;
    }

    @Override
    public int read() throws IOException {
      try {
        return in.read();
      } finally {
        Reference.reachabilityFence(body);
      }
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      try {
        return in.read(target, offset, count);
      } finally {
        // The reader may hold no reference to us while it waits for the last bytes.
        Reference.reachabilityFence(body);
      }
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
      try {
        return in.transferTo(out);
      } finally {
        Reference.reachabilityFence(body);
      }
    }
  }
}
