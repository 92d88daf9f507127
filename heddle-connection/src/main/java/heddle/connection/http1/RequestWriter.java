package heddle.connection.http1;

import heddle.codec.http1.Http1Session;
import heddle.connection.ContentFields;
import heddle.connection.request.RequestBodyReader;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.Http2RequiredException;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;

/** Writes an exchange's request to its channel, on the caller's thread. */
final class RequestWriter {
  private static final int PIECE_BYTES = 64 * 1024;

  /** As much as a channel takes from the heap at once: content in memory needs no buffer. */
  private static final int PIECE_IN_MEMORY_BYTES = 144 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private RequestWriter() {}

  /**
   * Writes head and body.
   *
   * @return false if an unsuccessful response came before the request was complete, so that the
   *     rest was not sent (RFC 9112 §9.5) and the connection cannot be reused
   * @throws Http2RequiredException if the content is {@linkplain heddle.http.Body#isDuplex duplex}
   */
  static boolean write(Http1Exchange exchange, Request request) throws IOException {
    if (request.body().isDuplex()) {
      throw HttpException.advise(
          new Http2RequiredException(
              "a full-duplex call needs HTTP/2, but the connection speaks HTTP/1.1",
              exchange.owner.point(),
              null),
          "; use https with a server that offers HTTP/2, or, if the server speaks it in cleartext,"
              + " HttpClient.Builder.version(HttpVersion.HTTP_2)");
    }
    Http1Session session = exchange.connection.session;
    boolean trailers = !RequestBodyReader.isNone(request.trailers());
    ByteBuffer head = session.requestHead(
        request.method(),
        exchange.connection.forwarded ? request.absoluteTarget() : request.target(),
        request.origin().hostHeader(),
        trailers ? announcingTrailers(exchange, request) : request.headers(),
        // RFC 9112 §7.1.2: only chunks can be followed by trailers.
        trailers ? Http1Session.UNKNOWN : contentLength(request));
    if (!session.hasContentToSend()) {
      session.end(Headers.empty());
      write(exchange, head);
      exchange.owner.sent(Sent.YES);
      return true;
    }
    if (exchange.response.expectsContinue()) {
      write(exchange, head);
      exchange.owner.sent(Sent.UNKNOWN);
      return exchange.awaitContinue() && content(exchange, request, NOTHING);
    }
    return content(exchange, request, head);
  }

  private static Headers announcingTrailers(Http1Exchange exchange, Request request)
      throws HttpException {
    try {
      return ContentFields.announcing(request.headers(), request.trailers());
    } catch (IllegalArgumentException e) {
      throw unsendable(e, exchange);
    }
  }

  private static long contentLength(Request request) {
    long length = request.body().length();
    return length != 0 || ContentFields.isMadeForContent(request.method())
        ? length
        : Http1Session.NO_BODY;
  }

  /** Writes the head, unless it is empty, and the content; returns as {@link #write}. */
  private static boolean content(Http1Exchange exchange, Request request, ByteBuffer head)
      throws IOException {
    ByteBuffer inMemory = request.body().inMemory();
    if (inMemory == null) {
      return stream(exchange, request, head);
    }
    Headers trailers = RequestBodyReader.trailers(
        request.trailers(), exchange.owner, exchange.connection.channel().loop());
    Http1Session session = exchange.connection.session;
    ByteBuffer before = head;
    while (inMemory.remaining() > PIECE_IN_MEMORY_BYTES) {
      ByteBuffer piece = inMemory.slice(inMemory.position(), PIECE_IN_MEMORY_BYTES);
      inMemory.position(inMemory.position() + PIECE_IN_MEMORY_BYTES);
      write(exchange, whole(before, session.data(piece), NOTHING));
      pieceWritten(exchange);
      exchange.owner.sent(Sent.UNKNOWN);
      if (exchange.isRestUnwanted()) {
        return false;
      }
      before = NOTHING;
    }
    write(exchange, whole(before, session.data(inMemory), end(exchange, trailers)));
    exchange.owner.contentSent();
    exchange.owner.sent(Sent.YES);
    return true;
  }

  private static void pieceWritten(Http1Exchange exchange) {
    exchange.pieceWritten();
    exchange.owner.contentSent();
  }

  private static ByteBuffer[] whole(ByteBuffer head, ByteBuffer[] framed, ByteBuffer end) {
    // Writing an empty buffer at the end could fail although everything was sent.
    int begins = head.hasRemaining() ? 1 : 0;
    int ends = end.hasRemaining() ? 1 : 0;
    ByteBuffer[] all = new ByteBuffer[begins + framed.length + ends];
    System.arraycopy(framed, 0, all, begins, framed.length);
    if (begins > 0) {
      all[0] = head;
    }
    if (ends > 0) {
      all[begins + framed.length] = end;
    }
    return all;
  }

  /** Writes; if that fails, tells the owner that a part of the request may have been sent. */
  private static void write(Http1Exchange exchange, ByteBuffer... buffers) throws IOException {
    Channel channel = exchange.connection.channel();
    boolean done = false;
    try {
      if (buffers.length == 1) {
        channel.write(buffers[0], exchange.owner.deadline());
      } else {
        channel.write(buffers, exchange.owner.deadline());
      }
      done = true;
    } catch (DeadlinePassedException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw new WriteFailedException(e);
    } finally {
      if (!done && buffers[0].position() > 0) {
        exchange.owner.sent(Sent.UNKNOWN);
      }
    }
  }

  private static boolean stream(Http1Exchange exchange, Request request, ByteBuffer head)
      throws IOException {
    Http1Session session = exchange.connection.session;
    ByteBuffer end;
    try (RequestBodyReader content = RequestBodyReader.open(
        request.body(), exchange.owner, exchange.connection.channel().loop())) {
      if (head.hasRemaining()) {
        write(exchange, head);
        exchange.owner.sent(Sent.UNKNOWN);
      }
      exchange.reading = content;
      if (exchange.isRestUnwanted()) {
        return false;
      }
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = content.read(piece); count >= 0; count = content.read(piece)) {
        if (exchange.isRestUnwanted()) {
          return false;
        }
        write(exchange, session.data(ByteBuffer.wrap(piece, 0, count)));
        pieceWritten(exchange);
      }
      end = end(exchange, content.trailers(request.trailers()));
    } catch (RequestBodyReader.AbortedException e) {
      if (exchange.response.isAnswered() && exchange.response.failure() == null) {
        return false;
      }
      throw new WriteFailedException(e);
    } finally {
      exchange.reading = null;
    }
    if (end.hasRemaining()) {
      write(exchange, end);
    }
    exchange.owner.sent(Sent.YES);
    return true;
  }

  private static ByteBuffer end(Http1Exchange exchange, Headers trailers) throws HttpException {
    try {
      return exchange.connection.session.end(trailers);
    } catch (IllegalArgumentException e) {
      throw unsendable(e, exchange);
    }
  }

  private static HttpException unsendable(IllegalArgumentException e, Http1Exchange exchange) {
    return new HttpException(
        "the request's trailers cannot be sent: " + e.getMessage(), exchange.owner.point(), e);
  }

  /** The channel accepted no more: the peer has reset it, or it was closed. */
  static final class WriteFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    WriteFailedException(IOException reason) {
      super(reason);
    }
  }
}
