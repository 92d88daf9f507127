package heddle.connection;

import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.transport.Channel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, as the answering side sees them. One thread, the answering one,
 * {@linkplain #enter enters}, asks for the {@link #request}, {@linkplain #respond responds} and
 * {@linkplain #leave leaves}. Unless noted otherwise, only that thread may call a method.
 */
public interface ServerExchange {
  /** Whether the calling thread is the loop, which must not answer. From any thread. */
  boolean isOnLoop();

  /**
   * The calling thread begins to answer: from now until {@link #leave} it is interrupted when the
   * connection is {@linkplain ServerConnection#abort aborted}, or the peer cancels this request.
   *
   * @param ending run once, on the same thread: just before the last of the response is written, so
   *     that a request whose peer has the answer is no longer counted, or else at {@link #leave}
   * @return false if that has happened already, so that no answer is needed
   */
  boolean enter(Runnable ending);

  /** The calling thread is done; an interrupt that was meant for this exchange is cleared. */
  void leave();

  /** From any thread. */
  Method method();

  /** The request-target as it was received. From any thread. */
  String target();

  /** The version that the peer speaks. From any thread. */
  HttpVersion version();

  /** The channel of the connection, for its addresses and TLS. From any thread. */
  Channel channel();

  /** The connection's number, see {@link ConnectionIds}. From any thread. */
  long connectionId();

  /**
   * The request.
   *
   * @throws IllegalArgumentException if its target, scheme or host is malformed; the answer is then
   *     400
   */
  Request request();

  /** The status for a handler's failure to receive the request by the peer's fault; else null. */
  @Nullable
  Status statusOfFault(Throwable failure);

  /** Whether the request could not be received whole, through the peer's fault. */
  boolean hasFault();

  /** Whether a final response has begun, so that no other can take its place. */
  boolean isCommitted();

  /**
   * Sends the response and closes its body. Returns when the last byte is written. If the peer has
   * gone or does not read, the stream or connection is cut and nothing is thrown, because no answer
   * can reach the peer.
   *
   * @throws ResponseFailedException if the response cannot be sent because it is faulty
   * @throws IllegalStateException if it has been answered already
   */
  void respond(Response response) throws ResponseFailedException;

  /**
   * Sends an informational response. 100 (Continue) is sent at most once, and only if the peer
   * waits for it.
   *
   * @throws IOException if the peer has gone
   * @throws IllegalArgumentException if it is not informational, is 101, or cannot be sent
   * @throws IllegalStateException if the response has begun
   */
  void interim(Status status, Headers fields) throws IOException;

  /**
   * Instead of {@link #respond}: the stream for the content of a response, which is sent as it is
   * written, and ended when that is closed. Until something was sent, another response may still
   * take its place.
   *
   * @param head without a body; its Content-Length announces how much will be written
   * @throws IllegalArgumentException if the Content-Length is malformed
   * @throws IllegalStateException if it has been answered already
   */
  ResponseOutput begin(Response head);

  /**
   * Instead of {@link #respond}: switches to another protocol, which the request offers. Over
   * HTTP/1.1 the answer is 101 (RFC 9110 §7.8), over HTTP/2 200 to an extended CONNECT (RFC 8441).
   * Bytes that the peer has sent behind its request belong to the other protocol. The timeouts and
   * the minimum rate of HTTP no longer hold, but a write fails if the peer accepts nothing for the
   * write timeout.
   *
   * @param protocol as it is written into the Upgrade field
   * @param fields others of the response, none of which frame content
   * @throws IOException if the peer has gone
   * @throws IllegalArgumentException if the fields cannot be sent
   * @throws IllegalStateException if it has been answered already, if the request's content was not
   *     read to its end, or over HTTP/2 if the request is no extended CONNECT
   */
  UpgradedStream switchProtocols(String protocol, Headers fields) throws IOException;

  /** Cuts the exchange's stream or connection: nothing more can be sent on it. */
  void abandon();

  /** Whether no answer can reach the peer any more. From any thread. */
  boolean isCut();

  /** Method and path, for logs: without a query, which may hold secrets. From any thread. */
  @Override
  String toString();

  /**
   * Reports to the {@link RequestListener} that no handler sees this request. From any thread.
   *
   * @param status of the response; null if there is none
   */
  void reportRefused(@Nullable Status status);

  /** Reports and refuses the request, on a new thread; for the loop, which must not write. */
  void refuse(Response response);
}
