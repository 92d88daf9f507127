package heddle.server.dispatch;

import heddle.connection.Responding;
import heddle.connection.ResponseFailedException;
import heddle.connection.ServerExchange;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.ServerOverloadedException;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.RefusedRequest;
import heddle.transport.PeerLog;
import heddle.transport.SafeLog;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Moves a request that the loop has received to a thread on which the handler may block, and turns
 * the handler's result or failure into one response. Safe for use by many threads.
 */
public final class Dispatcher {
  private static final Logger LOG = System.getLogger(Dispatcher.class.getName());
  private static final PeerLog PEERS = PeerLog.of(Dispatcher.class);

  /** Created in advance, because it is needed when memory is scarce. */
  private static final Response UNAVAILABLE = Response.builder(Status.SERVICE_UNAVAILABLE)
      .header(HeaderName.RETRY_AFTER, "1")
      .build();

  private static final ThreadFactory THREADS = Thread.ofVirtual()
      .name("heddle-request")
      .inheritInheritableThreadLocals(false)
      .factory();

  /** A new virtual thread for each task. */
  public static final Executor VIRTUAL_THREADS = task -> THREADS.newThread(task).start();

  private final ExchangeHandler handler;
  private final Executor executor;
  private final Runnable onEnding;
  private final @Nullable Duration handlerTimeout;

  /**
   * @param executor runs each request; never on the thread that calls it, which may be a loop
   * @param handlerTimeout after which a handler is interrupted; null for no limit
   * @param onEnding run once for each request that was dispatched, when its answer ends
   */
  public Dispatcher(
      ExchangeHandler handler,
      Executor executor,
      @Nullable Duration handlerTimeout,
      Runnable onEnding) {
    this.handler = handler;
    this.executor = executor;
    this.handlerTimeout = handlerTimeout;
    this.onEnding = onEnding;
  }

  /** Whether the handler may switch to other protocols. */
  public boolean switchesProtocols() {
    return !(handler instanceof PlainHandler);
  }

  /** Whether the handler may do something with {@linkplain #refused refused} requests. */
  public boolean seesRefusals() {
    return !(handler instanceof PlainHandler);
  }

  /** Tells the handler of a request that was refused. Not on a loop. */
  public void refused(RefusedRequest request) {
    handler.refused(request);
  }

  /**
   * Starts a thread that answers the request, or turns the request away. A user's executor is
   * called on this thread: if it runs the request here and this is the loop, {@link #run} throws.
   */
  public void dispatch(ServerExchange exchange) {
    if (executor != VIRTUAL_THREADS) {
      start(exchange);
      return;
    }
    Runnable start;
    try {
      start = () -> start(exchange);
    } catch (OutOfMemoryError e) {
      turnAway(exchange); // It has been counted.
      return;
    }
    exchange.channel().loop().startThread(start);
  }

  /** Turns the request away without the help of a catch block. */
  private void start(ServerExchange exchange) {
    boolean accepted = false;
    try {
      executor.execute(() -> run(exchange));
      accepted = true;
    } catch (RejectedExecutionException e) {
      SafeLog.log(LOG, Level.DEBUG, "the executor has rejected ", exchange, e);
    } catch (RuntimeException | Error e) {
      // For example no memory for a thread, which others may have used up: keep the connection.
      SafeLog.log(LOG, Level.ERROR, "the executor could not run ", exchange, e);
    } finally {
      if (!accepted) {
        turnAway(exchange);
      }
    }
  }

  private void turnAway(ServerExchange exchange) {
    try {
      onEnding.run();
    } finally {
      exchange.refuse(unavailable());
    }
  }

  /** The answer to a request for which there is no room, RFC 9110 §15.6.4. */
  public static Response unavailable() {
    return UNAVAILABLE;
  }

  private void run(ServerExchange exchange) {
    if (exchange.isOnLoop()) {
      throw new RejectedExecutionException(
          "the server's executor ran a request on the thread that called it: give it one that"
              + " runs tasks on other threads");
    }
    boolean entered = exchange.enter(onEnding);
    boolean over = false;
    try {
      if (entered) {
        answer(exchange);
      }
      over = true;
    } catch (ResponseFailedException | RuntimeException | Error e) {
      SafeLog.log(LOG, Level.ERROR, "the server failed to answer ", exchange, e);
    } finally {
      leave(exchange, over);
    }
  }

  /** For example no memory for any answer: a connection that waits for one would never end. */
  private static void leave(ServerExchange exchange, boolean over) {
    try {
      if (!over) {
        exchange.abandon();
      }
    } finally {
      exchange.leave();
    }
  }

  private void answer(ServerExchange exchange) throws ResponseFailedException {
    Response response = handle(exchange);
    if (response == null) {
      return;
    }
    try {
      exchange.respond(response);
    } catch (ResponseFailedException e) {
      Response instead = failed(exchange, e);
      if (!exchange.isCommitted()) {
        exchange.respond(instead);
      }
    }
  }

  /** The response that is to be sent; null if there is one already. */
  private @Nullable Response handle(ServerExchange exchange) {
    Request request;
    try {
      request = exchange.request();
    } catch (IllegalArgumentException e) {
      PEERS.log(() -> exchange + " has no valid target or host", e);
      exchange.reportRefused(Status.BAD_REQUEST);
      return Response.of(Status.BAD_REQUEST);
    }
    HandlerTimer timer = handlerTimeout == null ? null : new HandlerTimer(exchange, handlerTimeout);
    ServedExchange served = new ServedExchange(exchange, request, timer);
    try {
      Response response = handler.handle(served);
      if (served.isAborted()) {
        if (response != null) {
          Responding.closeQuietly(response);
        }
        return null;
      }
      if (served.hasBegun()) {
        end(served, response);
        Exception failure = served.failure();
        return failure != null && !exchange.isCommitted() ? failed(exchange, failure) : null;
      }
      return response != null
          ? response
          : failed(exchange, new NullPointerException("the handler returned null"));
    } catch (Exception | Error e) {
      if (served.isAborted()) {
        return null;
      }
      boolean tooLate = timer != null && timer.end();
      Response instead = tooLate ? late(exchange, e) : failed(exchange, e);
      return served.abandon(e) && !exchange.isCommitted() ? instead : null;
    } finally {
      if (timer != null) {
        timer.end();
      }
    }
  }

  /** Ends the response that a handler has begun. */
  private static void end(ServedExchange begun, @Nullable Response returned) throws IOException {
    if (returned != null) {
      Responding.closeQuietly(returned);
      throw new IllegalStateException(
          "the handler has begun a response and returned another: return null");
    }
    begun.end();
  }

  private static Response late(ServerExchange exchange, Throwable failure) {
    SafeLog.log(LOG, Level.WARNING, "the handler took too long to answer ", exchange, failure);
    return unavailable();
  }

  // The log has the details, the peer only the status: a stack trace helps an attacker.
  private static Response failed(ServerExchange exchange, Throwable failure) {
    Status fault = exchange.statusOfFault(failure);
    if (fault != null) {
      PEERS.log(() -> exchange + " was not received whole", failure);
      return Response.of(fault);
    }
    if (ServerOverloadedException.isBehind(failure)) {
      PEERS.log(() -> exchange + " is answered 503", failure);
      return unavailable();
    }
    if ((exchange.isCut() || exchange.hasFault()) && !(failure instanceof Error)) {
      // The peer has gone or sent what cannot be received, or the server closes. A handler may
      // react with any exception, and a peer must not be able to fill the log with them.
      PEERS.log(() -> exchange + " was cut before it was answered", failure);
    } else {
      SafeLog.log(LOG, Level.ERROR, "the handler failed to answer ", exchange, failure);
    }
    return Response.of(Status.INTERNAL_SERVER_ERROR);
  }
}
