package heddle.adapters.jersey;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CancellationException;
import org.glassfish.jersey.client.ClientRequest;

/**
 * The entity of a response. Reading it fails when its call was cancelled or when it was closed, as
 * with Jersey's own connectors. Used by one thread at a time, except {@link #close}.
 */
final class EntityStream extends InputStream {
  private final InputStream in;
  private final ClientRequest request;
  private volatile boolean closed;

  EntityStream(ClientRequest request, InputStream content) {
    in = content;
    this.request = request;
  }

  @Override
  public int read() throws IOException {
    requireOpen();
    int octet = in.read();
    requireWanted();
    return octet;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    requireOpen();
    int read = in.read(target, offset, count);
    requireWanted();
    return read;
  }

  @Override
  public int available() throws IOException {
    requireOpen();
    return in.available();
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the entity of this response was closed: read it before");
    }
    requireWanted();
  }

  private void requireWanted() throws IOException {
    if (request.isCancelled()) {
      close();
      throw new IOException(
          "the call was cancelled", new CancellationException("the call was cancelled"));
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    in.close();
  }
}
