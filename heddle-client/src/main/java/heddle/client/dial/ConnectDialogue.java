package heddle.client.dial;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.Role;
import heddle.codec.http1.Http1Session;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Method;
import heddle.http.failure.ProxyException;
import heddle.transport.time.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6), on the calling thread; may be repeated as long
 * as the proxy keeps the connection. Used by one thread.
 */
final class ConnectDialogue {
  /** How much of the content of a refusal is kept. */
  static final int KEPT_BYTES = 4 * 1024;

  /** How much of it is read, so that the connection can be used again. */
  static final int READ_BYTES = 64 * 1024;

  /** How long the content may take to arrive. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The same for content that ends with the connection, which cannot be used again then. */
  private static final Duration BRIEF = Duration.ofMillis(100);

  private static final String WAITING = "waiting for the proxy's answer to CONNECT";

  private final ProxyChannel channel;
  private final String authority;
  private final Http1Session session;

  /**
   * @param authority of the origin: host and port (RFC 9112 §3.2.3)
   */
  ConnectDialogue(ProxyChannel channel, String authority, Limits limits) {
    this.channel = channel;
    this.authority = authority;
    this.session = new Http1Session(Role.CLIENT, limits);
  }

  /**
   * Sends a CONNECT and waits for the answer.
   *
   * @param fields of the CONNECT
   * @param deadline by when there must be an answer
   * @return the proxy's answer if it is not a 2xx; null if the channel is now a tunnel
   * @throws ProtocolException if the answer is not valid HTTP
   * @throws EOFException if the proxy closes the connection instead of answering
   */
  ProxyException.@Nullable Answer ask(Headers fields, Deadline deadline)
      throws IOException, ProtocolException {
    session.expectResponseTo(Method.CONNECT);
    ByteBuffer head =
        session.requestHead(Method.CONNECT, authority, authority, fields, Http1Session.NO_BODY);
    session.end(Headers.empty());
    channel.write(head, deadline);
    while (true) {
      switch (next(deadline)) {
        case Event.Upgraded unused -> {
          return null;
        }
        case Event.ResponseHead answer -> {
          if (!answer.status().isSuccess()) {
            return new ProxyException.Answer(
                answer.status(), answer.headers(), content(answer.headers(), deadline));
          }
        }
        case Event.Interim unused -> {
          // The session limits how many there are.
        }
        case Event event -> throw new IllegalStateException("no answer begins with " + event);
      }
    }
  }

  /** Prepares for another CONNECT; false if the connection cannot carry one. */
  boolean again() {
    if (!session.isReusable() || channel.hasUnread() || !channel.isOpen() || channel.hasEnded()) {
      return false;
    }
    session.nextMessage();
    return true;
  }

  /** The beginning of the refusal's content, as far as it arrives soon. */
  private String content(Headers head, Deadline deadline) throws InterruptedIOException {
    boolean sized =
        head.contains(HeaderName.CONTENT_LENGTH) || head.contains(HeaderName.TRANSFER_ENCODING);
    Deadline soon =
        Deadline.after(sized ? PATIENCE : BRIEF, channel.loop().clock()).earlier(deadline);
    StringBuilder kept = new StringBuilder();
    int read = 0;
    try {
      while (read <= READ_BYTES && next(soon) instanceof Event.Data data) {
        byte[] octets = new byte[data.bytes().remaining()];
        data.bytes().get(octets);
        read += octets.length;
        int room = Math.min(octets.length, KEPT_BYTES - kept.length());
        kept.append(new String(octets, 0, room, ISO_8859_1));
      }
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | ProtocolException e) {
      // The content is optional; the connection is not used again.
    }
    return kept.toString();
  }

  private Event next(Deadline by) throws IOException, ProtocolException {
    Event event = session.next(ByteBuffer.allocate(0), now());
    while (event == null) {
      ByteBuffer piece = channel.read(by, WAITING);
      if (piece == null) {
        event = session.isReceiving() ? session.endOfInput() : null;
        if (event == null) {
          throw new EOFException("it closed the connection before it answered CONNECT");
        }
      } else {
        event = session.next(piece, now());
      }
    }
    return event;
  }

  private long now() {
    return channel.loop().clock().nanoTime();
  }
}
