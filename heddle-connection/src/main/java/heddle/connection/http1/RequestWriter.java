package heddle.connection.http1;

import heddle.codec.http1.Http1Session;
import heddle.connection.ContentFields;
import heddle.connection.RequestBodyReader;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;

/** Writes a request to a channel, on the caller's thread. */
final class RequestWriter {
  private static final int PIECE_BYTES = 64 * 1024;

  private RequestWriter() {}

  /**
   * Writes head and body.
   *
   * @return false when the response came before the request was complete, so that the rest was not
   *     sent (RFC 9112 §9.5) and the connection cannot be used again
   */
  static boolean write(
      Request request, Http1Session session, Channel channel, Http1Exchange exchange)
      throws IOException {
    Body body = request.body();
    ByteBuffer head = session.requestHead(
        request.method(),
        request.target(),
        request.origin().hostHeader(),
        request.headers(),
        contentLength(request));
    if (!session.hasContentToSend()) {
      session.end(Headers.empty());
      writeFirst(channel, exchange, head);
      exchange.owner.sent(Sent.YES);
      return true;
    }
    ByteBuffer inMemory = body.inMemory();
    if (inMemory != null) {
      writeFirst(channel, exchange, whole(head, session, inMemory, request));
      exchange.owner.sent(Sent.YES);
      return true;
    }
    return stream(request, session, channel, exchange, head);
  }

  private static long contentLength(Request request) {
    long length = request.body().length();
    if (length != 0) {
      return length;
    }
    return ContentFields.isMadeForContent(request.method()) ? 0 : Http1Session.NO_BODY;
  }

  private static ByteBuffer[] whole(
      ByteBuffer head, Http1Session session, ByteBuffer content, Request request) {
    ByteBuffer[] framed = session.data(content);
    ByteBuffer end = session.end(request.trailers().get());
    // An empty buffer at the end could fail although everything was sent.
    int ends = end.hasRemaining() ? 1 : 0;
    ByteBuffer[] all = new ByteBuffer[1 + framed.length + ends];
    all[0] = head;
    System.arraycopy(framed, 0, all, 1, framed.length);
    if (ends > 0) {
      all[framed.length + 1] = end;
    }
    return all;
  }

  /** The first write tells whether anything was sent at all when it fails. */
  private static void writeFirst(Channel channel, Http1Exchange exchange, ByteBuffer... buffers)
      throws IOException {
    boolean done = false;
    try {
      write(channel, exchange, buffers);
      done = true;
    } finally {
      if (!done && buffers[0].position() > 0) {
        exchange.owner.sent(Sent.UNKNOWN);
      }
    }
  }

  private static void write(Channel channel, Http1Exchange exchange, ByteBuffer... buffers)
      throws IOException {
    try {
      if (buffers.length == 1) {
        channel.write(buffers[0], exchange.owner.deadline());
      } else {
        channel.write(buffers, exchange.owner.deadline());
      }
    } catch (DeadlinePassedException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw new WriteFailedException(e);
    }
  }

  private static boolean stream(
      Request request,
      Http1Session session,
      Channel channel,
      Http1Exchange exchange,
      ByteBuffer head)
      throws IOException {
    try (RequestBodyReader content =
        RequestBodyReader.open(request.body(), exchange.owner, channel.loop())) {
      writeFirst(channel, exchange, head);
      exchange.owner.sent(Sent.UNKNOWN);
      exchange.reads(content);
      if (exchange.isAnswered()) {
        return false;
      }
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = content.read(piece); count >= 0; count = content.read(piece)) {
        if (exchange.isAnswered()) {
          return false;
        }
        write(channel, exchange, frame(session, piece, count, exchange));
      }
    } catch (RequestBodyReader.AbortedException e) {
      if (exchange.isAnswered() && exchange.failure() == null) {
        return false;
      }
      throw new WriteFailedException(e);
    } finally {
      exchange.reads(null);
    }
    ByteBuffer end = end(request, session, exchange);
    if (end.hasRemaining()) {
      write(channel, exchange, end);
    }
    exchange.owner.sent(Sent.YES);
    return true;
  }

  private static ByteBuffer[] frame(
      Http1Session session, byte[] piece, int count, Http1Exchange exchange) throws HttpException {
    try {
      return session.data(ByteBuffer.wrap(piece, 0, count));
    } catch (IllegalStateException e) {
      throw new HttpException(wrongLength(e), exchange.owner.point(), e);
    }
  }

  private static ByteBuffer end(Request request, Http1Session session, Http1Exchange exchange)
      throws HttpException {
    try {
      return session.end(request.trailers().get());
    } catch (IllegalStateException e) {
      throw new HttpException(wrongLength(e), exchange.owner.point(), e);
    }
  }

  private static String wrongLength(IllegalStateException e) {
    return "the request's body is not as long as it says: " + e.getMessage();
  }

  /** The channel took no more: the peer has reset it, or it was closed. */
  static final class WriteFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    WriteFailedException(IOException reason) {
      super(reason);
    }
  }
}
