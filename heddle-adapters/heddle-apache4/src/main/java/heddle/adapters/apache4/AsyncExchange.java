package heddle.adapters.apache4;

import heddle.http.Body;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.apache.http.ConnectionClosedException;
import org.apache.http.HttpEntity;
import org.apache.http.HttpEntityEnclosingRequest;
import org.apache.http.HttpException;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.NoHttpResponseException;
import org.apache.http.nio.ContentDecoder;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;
import org.jspecify.annotations.Nullable;

/** One asynchronous exchange, made by its own thread. Any thread may stop it. */
final class AsyncExchange {
  private static final int PIECE_BYTES = 16 * 1024;

  private final AsyncConnection connection;
  private final HttpAsyncClientExchangeHandler handler;
  private final Gate input;

  private volatile @Nullable HttpRequest request;
  private volatile @Nullable HttpResponse response;
  private volatile @Nullable ProducedContent content;

  AsyncExchange(AsyncConnection connection, HttpAsyncClientExchangeHandler handler) {
    this.connection = connection;
    this.handler = handler;
    this.input = new Gate(connection);
  }

  @Nullable
  HttpRequest request() {
    return request;
  }

  @Nullable
  HttpResponse response() {
    return response;
  }

  /** Ends the waiting for a suspended producer or consumer. From any thread. */
  void stop() {
    input.stop();
    ProducedContent sent = content;
    if (sent != null) {
      sent.stop();
    }
  }

  // Runs on its own thread, so every throwable is passed to the handler.
  void run() {
    try {
      exchange();
    } catch (IOException | HttpException | RuntimeException e) {
      connection.end();
      handler.failed(told(e));
    } catch (Error e) {
      connection.end();
      handler.failed(new IllegalStateException("the exchange has broken down: " + e, e));
      throw e;
    }
  }

  /**
   * Apache's asynchronous connections report a closed connection where those of the classic client
   * report a missing response, or a closed socket.
   */
  private Exception told(Exception e) {
    boolean closed = e instanceof NoHttpResponseException
        || (e instanceof SocketException && !connection.isOpen());
    if (!closed) {
      return e;
    }
    ConnectionClosedException told = new ConnectionClosedException(String.valueOf(e.getMessage()));
    told.initCause(e);
    return told;
  }

  private void exchange() throws IOException, HttpException {
    HttpRequest head = handler.generateRequest();
    if (head == null) {
      connection.end();
      return;
    }
    request = head;
    HttpEntity entity =
        head instanceof HttpEntityEnclosingRequest enclosing ? enclosing.getEntity() : null;
    ProducedContent produced =
        entity == null ? null : new ProducedContent(handler, connection, entity);
    content = produced;
    Response received;
    try {
      received = connection.send(head, produced == null ? Body.empty() : produced, false);
    } catch (IOException e) {
      throw Leased.own(produced == null ? null : produced.failure(), e);
    } finally {
      if (produced != null) {
        produced.sent();
      }
    }
    try (received) {
      if (produced == null || produced.isCompleted()) {
        handler.requestCompleted();
      }
      consume(head, received);
    }
    connection.end();
    if (!handler.isDone()) {
      handler.responseCompleted();
    }
  }

  private void consume(HttpRequest sent, Response received) throws IOException, HttpException {
    HttpResponse head = Messages.head(received);
    response = head;
    boolean mayHaveContent = Messages.mayHaveContent(sent, received);
    if (mayHaveContent) {
      head.setEntity(Messages.entity(received, head, null, true));
    } else {
      received.close();
    }
    handler.responseReceived(head);
    if (!mayHaveContent) {
      return;
    }
    Decoder decoder = new Decoder(received.body().stream(), received.body().length());
    while (!decoder.isCompleted() && !handler.isDone()) {
      input.await();
      decoder.fill();
      handler.consumeContent(decoder, input);
    }
  }

  /** Content that has arrived. Reading it does not block. */
  private final class Decoder implements ContentDecoder {
    private final InputStream source;
    private final byte[] piece;
    private ByteBuffer arrived = ByteBuffer.allocate(0);
    private long left;
    private boolean ended;
    private boolean completed;

    /**
     * @param length of the content; negative if unknown
     */
    Decoder(InputStream source, long length) {
      this.source = source;
      left = length < 0 ? Long.MAX_VALUE : length;
      piece = new byte[Math.clamp(left, 1, PIECE_BYTES)];
    }

    /** Waits for content if all was read. */
    void fill() throws IOException {
      if (arrived.hasRemaining() || ended) {
        return;
      }
      try {
        int count = source.read(piece, 0, piece.length);
        ended = count < 0;
        arrived = ByteBuffer.wrap(piece, 0, Math.max(0, count));
      } catch (IOException e) {
        throw connection.explain(e);
      }
    }

    @Override
    public int read(ByteBuffer target) {
      if (!arrived.hasRemaining()) {
        completed = completed || ended;
        return ended ? -1 : 0;
      }
      int count = Math.min(target.remaining(), arrived.remaining());
      target.put(arrived.slice(arrived.position(), count));
      arrived.position(arrived.position() + count);
      left -= count;
      completed = left == 0;
      return count;
    }

    @Override
    public boolean isCompleted() {
      return completed;
    }
  }
}
