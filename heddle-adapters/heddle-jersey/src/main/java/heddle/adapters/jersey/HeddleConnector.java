package heddle.adapters.jersey;

import heddle.adapters.support.SocketFailures;
import heddle.adapters.support.WrittenContent;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.client.HttpUrlConnectorProvider;
import org.glassfish.jersey.client.RequestEntityProcessing;
import org.glassfish.jersey.client.spi.AsyncConnectorCallback;
import org.glassfish.jersey.client.spi.Connector;

/**
 * Makes the calls of a client of Jersey's, or of a target with properties of its own. Safe for use
 * by many threads.
 */
final class HeddleConnector implements Connector {
  /** What Jersey's own writers copy at a time: an entity that is smaller leaves in one go. */
  private static final int MOST_HELD_IN_CHUNKS = 8 * 1024;

  private final Carriers carriers;
  private final boolean keepsCookies;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CancelWatch watch = new CancelWatch();

  /**
   * @param carriers retained for this connector
   */
  HeddleConnector(Carriers carriers, boolean keepsCookies) {
    this.carriers = carriers;
    this.keepsCookies = keepsCookies;
  }

  /**
   * Makes a call on the thread that calls.
   *
   * @throws ProcessingException of a failure on the way
   * @throws IllegalArgumentException if something in the request or its properties cannot be
   *     honoured, which Jersey makes the cause of a ProcessingException
   */
  @Override
  public ClientResponse apply(ClientRequest request) {
    return receive(request).response();
  }

  /** The same. */
  Received receive(ClientRequest request) {
    if (request.isCancelled()) {
      throw new ProcessingException(new CancellationException("cancelled before it was sent"));
    }
    try {
      return Received.of(request, send(request));
    } catch (IOException e) {
      throw new ProcessingException(SocketFailures.translate(e));
    }
  }

  private Response send(ClientRequest request) throws IOException {
    Settings.requireHonourable(request);
    return carriers.call(CallOptions.of(request), keepsCookies, client -> send(request, client));
  }

  private static Response send(ClientRequest request, HttpClient client) throws IOException {
    Request.Builder head = Messages.head(request);
    if (request.getEntity() == null) {
      return client.send(head.headers(Messages.fields(request)).build());
    }
    WrittenContent content = new WrittenContent(client, head);
    if (isToBeHadAgain(request.getEntity())) {
      content.repeatWith(out -> writeAgain(request, out));
    }
    RequestEntityProcessing processing = request.resolveProperty(
        ClientProperties.REQUEST_ENTITY_PROCESSING, RequestEntityProcessing.class);
    if (processing == RequestEntityProcessing.BUFFERED) {
      content.hold(Integer.MAX_VALUE);
    } else if (processing == RequestEntityProcessing.CHUNKED) {
      content.beOfUnknownLength();
      content.hold(MOST_HELD_IN_CHUNKS);
    }
    return content.send(out -> {
      request.setStreamProvider(length -> {
        // Only now: writers and their interceptors may have changed the fields.
        head.headers(Messages.fields(request));
        content.announce(request.getLengthLong());
        if (processing == null && isOfFixedLength(request)) {
          content.hold(0);
        }
        if (isExpecting(request, processing)) {
          head.expectContinue();
        }
        return out;
      });
      request.writeEntity();
    });
  }

  /** A stream is gone once it was written. */
  private static boolean isToBeHadAgain(Object entity) {
    return !(entity instanceof InputStream
        || entity instanceof Reader
        || entity instanceof StreamingOutput);
  }

  /** Jersey writes the entity of a request once, and that of its copy. */
  private static void writeAgain(ClientRequest request, OutputStream out) throws IOException {
    ClientRequest copy = new ClientRequest(request);
    copy.setStreamProvider(length -> out);
    copy.writeEntity();
  }

  /** Whether a property of Jersey's own connector wants all streamed whose length is known. */
  private static boolean isOfFixedLength(ClientRequest request) {
    return request.getLengthLong() > 0
        && request.resolveProperty(
            HttpUrlConnectorProvider.USE_FIXED_LENGTH_STREAMING, Boolean.FALSE);
  }

  /** By the rules of Jersey's own connector. */
  private static boolean isExpecting(ClientRequest request, RequestEntityProcessing processing) {
    if (!request.resolveProperty(ClientProperties.EXPECT_100_CONTINUE, Boolean.FALSE)) {
      return false;
    }
    long threshold = request.resolveProperty(
        ClientProperties.EXPECT_100_CONTINUE_THRESHOLD_SIZE,
        ClientProperties.DEFAULT_EXPECT_100_CONTINUE_THRESHOLD_SIZE);
    boolean method = request.getMethod().equals("POST") || request.getMethod().equals("PUT");
    return method
        && (processing == RequestEntityProcessing.CHUNKED || request.getLengthLong() > threshold);
  }

  @Override
  public Future<?> apply(ClientRequest request, AsyncConnectorCallback callback) {
    return AsyncExchange.start(this, request, callback, watch);
  }

  /** Whether somebody looks for cancelled calls. */
  boolean isWatching() {
    return watch.isWatching();
  }

  /** For the User-Agent that Jersey sends. */
  @Override
  public String getName() {
    return "Heddle";
  }

  /**
   * Gives up what it shares with the other connectors of its client, the last of which aborts the
   * calls under way, and ends its own asynchronous calls. Waits at most a second for callbacks that
   * run. Idempotent.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      carriers.release();
      watch.close();
    }
  }
}
