package heddle.server.spi;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.Charset;

/**
 * Writes text to a stream and does not flush that when it is closed, unlike {@link
 * OutputStreamWriter}: content that was never flushed gets a Content-Length.
 */
final class ContentWriter extends OutputStreamWriter {
  private final Content content;

  ContentWriter(OutputStream out, Charset charset) {
    this(new Content(out), charset);
  }

  private ContentWriter(Content content, Charset charset) {
    super(content, charset);
    this.content = content;
  }

  @Override
  public void close() throws IOException {
    content.closing = true;
    super.close();
  }

  private static final class Content extends FilterOutputStream {
    private boolean closing;

    Content(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      out.write(source, offset, size);
    }

    @Override
    public void flush() throws IOException {
      if (!closing) {
        out.flush();
      }
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
