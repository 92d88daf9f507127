package heddle.adapters.okhttp;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/** Content that is written as a test says, with a given length, or -1. */
class WrittenBody extends RequestBody {
  /** Writes content. */
  @FunctionalInterface
  interface Writing {
    void to(BufferedSink sink) throws IOException;
  }

  private final long length;
  private final Writing writing;

  WrittenBody(long length, Writing writing) {
    this.length = length;
    this.writing = writing;
  }

  @Override
  public @Nullable MediaType contentType() {
    return null;
  }

  @Override
  public long contentLength() {
    return length;
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    writing.to(sink);
  }
}
