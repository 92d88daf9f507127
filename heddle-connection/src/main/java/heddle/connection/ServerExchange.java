package heddle.connection;

import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, as whoever answers sees them. One thread, the answering one,
 * {@linkplain #enter enters}, asks for the {@link #request}, {@linkplain #respond responds} and
 * {@linkplain #leave leaves}. What a method does not say otherwise is that thread's alone.
 */
public interface ServerExchange {
  /** Whether the calling thread is the loop, which must not answer. From any thread. */
  boolean isOnLoop();

  /**
   * The calling thread begins to answer: from now until {@link #leave} it is interrupted when the
   * connection is {@linkplain ServerConnection#abort aborted}, or the peer takes this request back.
   *
   * @param ending run once, on the same thread: just before the last of the response is written, so
   *     that a peer which has its answer is counted no more, or at {@link #leave} if nothing is
   * @return false when that has happened already: there is nobody left to answer
   */
  boolean enter(Runnable ending);

  /** The calling thread is done; it keeps no interrupt that was meant for this exchange. */
  void leave();

  /** From any thread. */
  Method method();

  /** The request-target as it was received. From any thread. */
  String target();

  /**
   * The request.
   *
   * @throws IllegalArgumentException when its target, scheme or host is none: to be answered 400
   */
  Request request();

  /**
   * The status that a failure of the handler deserves if it is the peer's fault, because the
   * request could not be received; null when it is not.
   */
  @Nullable
  Status statusOfFault(Throwable failure);

  /** Whether the request could not be received whole, through the peer's fault. */
  boolean hasFault();

  /** Whether a final response has begun, so that no other can take its place. */
  boolean isCommitted();

  /**
   * Sends the response and closes its body. Returns when the last byte is written. When the peer
   * has gone or does not read, what carries the exchange is cut and nothing thrown: there is nobody
   * left to tell.
   *
   * @throws ResponseFailedException when the response cannot be sent through a fault of its own
   * @throws IllegalStateException when it has been answered already
   */
  void respond(Response response) throws ResponseFailedException;

  /** Cuts what carries the exchange: nothing more can be said on it. */
  void abandon();

  /** Whether no answer can reach the peer any more. From any thread. */
  boolean isCut();

  /** Method and path, for logs: without a query, which may hold secrets. From any thread. */
  @Override
  String toString();

  /** Turns the request away on a thread of its own; for the loop, which does not write. */
  void refuse(Response response);
}
