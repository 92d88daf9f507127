package heddle.adapters.apache4;

import heddle.adapters.support.EntityContent;
import heddle.adapters.support.ResponseContent;
import heddle.http.Body;
import heddle.http.Response;
import heddle.http.failure.ConnectionLostException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Set;
import org.apache.http.HttpEntity;
import org.apache.http.HttpEntityEnclosingRequest;
import org.apache.http.HttpException;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.conn.ManagedHttpClientConnection;
import org.apache.http.impl.execchain.RequestAbortedException;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a request executor sees. What the executor sends is collected, and becomes
 * one Heddle call when the executor receives. Used by one thread at a time, except {@link
 * #shutdown}.
 */
final class HeddleConnection extends Leased implements ManagedHttpClientConnection {
  private final Set<HttpRequest> lost;

  private @Nullable HttpRequest request;
  private @Nullable HttpEntity entity;
  private @Nullable Response response;

  /**
   * @param lost requests whose connection was lost; if Apache repeats one, it needs a new
   *     connection, since the server may be closing the other idle ones too
   */
  HeddleConnection(Grant grant, Set<HttpRequest> lost) {
    super(grant);
    this.lost = lost;
  }

  // ---- sending

  @Override
  public void sendRequestHeader(HttpRequest head) throws IOException {
    if (!isOpen()) {
      throw new RequestAbortedException("Connection has been shut down");
    }
    request = head;
    entity = null;
    response = null;
  }

  @Override
  public void sendRequestEntity(HttpEntityEnclosingRequest owner) {
    entity = owner.getEntity();
  }

  /** Does nothing: the request is sent when its response is received. */
  @Override
  public void flush() {}

  /**
   * Whether a part of the response is available. While a request expects 100 (Continue), this
   * returns false at once: Heddle itself waits between head and entity.
   */
  @Override
  public boolean isResponseAvailable(int timeout) throws IOException {
    boolean owed = request instanceof HttpEntityEnclosingRequest enclosing
        && enclosing.getEntity() != null
        && entity == null;
    if (response == null && request != null && !owed) {
      try {
        exchange();
      } catch (HttpException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    return response != null;
  }

  // ---- receiving

  @Override
  public HttpResponse receiveResponseHeader() throws HttpException, IOException {
    Response received = response == null ? exchange() : response;
    HttpRequest sent = request;
    if (sent != null && !Messages.mayHaveContent(sent, received)) {
      received.close();
    }
    return Messages.head(received);
  }

  @Override
  public void receiveResponseEntity(HttpResponse head) throws IOException {
    Response received = response;
    if (received == null) {
      throw new IllegalStateException("receive the head of a response before its entity");
    }
    if (received.body().inMemory() == null) {
      InputStream content = ResponseContent.drained(received, this::explain);
      head.setEntity(Messages.entity(received, head, content, true));
    } else {
      // Content that arrived with the head does not need the connection.
      head.setEntity(Messages.entity(received, head, received.body().stream(), false));
      received.close();
    }
  }

  private Response exchange() throws IOException, HttpException {
    HttpRequest sent = request;
    if (sent == null) {
      throw new IllegalStateException("send a request before its response is received");
    }
    HttpEntity given = entity;
    EntityContent content = given == null ? null : content(given);
    try {
      Response received = send(sent, content == null ? Body.empty() : content, lost.remove(sent));
      response = received;
      return received;
    } catch (IOException e) {
      if (e.getCause() instanceof ConnectionLostException) {
        lost.add(sent);
      }
      throw own(content == null || !isOpen() ? null : content.failure(), e);
    }
  }

  private static EntityContent content(HttpEntity entity) {
    return new EntityContent(
        entity.isChunked() ? Body.UNKNOWN : entity.getContentLength(), false, entity::writeTo);
  }

  // ---- properties

  /**
   * @throws UnsupportedOperationException always
   */
  @Override
  public void bind(Socket socket) {
    throw new UnsupportedOperationException("connections of this adapter open sockets themselves");
  }

  /** Null: a request takes a connection of Heddle's when it is sent. */
  @Override
  public @Nullable Socket getSocket() {
    return null;
  }
}
