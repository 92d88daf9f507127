package heddle.adapters.jersey;

import heddle.adapters.jersey.Messages.Received;
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

/** Makes the calls of a Jersey client, or of a target with its own properties. Thread-safe. */
final class HeddleConnector implements Connector {
  /** The buffer size of Jersey's own writers: a smaller entity is sent in one write. */
  private static final int MOST_HELD_IN_CHUNKS = 8 * 1024;

  private final Carriers carriers;
  private final boolean keepsCookies;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CancelWatch watch = new CancelWatch();

  /**
   * @param carriers must be retained for this connector
   */
  HeddleConnector(Carriers carriers, boolean keepsCookies) {
    this.carriers = carriers;
    this.keepsCookies = keepsCookies;
  }

  /**
   * Makes a call on the calling thread.
   *
   * @throws ProcessingException if the call fails
   * @throws IllegalArgumentException if something in the request or its properties cannot be
   *     honoured; Jersey wraps it in a ProcessingException
   */
  @Override
  public ClientResponse apply(ClientRequest request) {
    return receive(request).response();
  }

  /** Makes a call, and also returns the entity stream. */
  Received receive(ClientRequest request) {
    if (request.isCancelled()) {
      throw new ProcessingException(new CancellationException("cancelled before it was sent"));
    }
    Settings.requireHonourable(request);
    CallOptions options = CallOptions.of(request, keepsCookies);
    try {
      Response response = carriers.clients.call(options, client -> send(request, client));
      return Messages.received(request, response);
    } catch (IOException e) {
      throw new ProcessingException(CallOptions.ADVICE.translate(e));
    }
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
        // Read late, because writers and their interceptors may change the fields.
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

  /** Whether an entity can be written again, unlike a stream. */
  private static boolean isToBeHadAgain(Object entity) {
    return !(entity instanceof InputStream
        || entity instanceof Reader
        || entity instanceof StreamingOutput);
  }

  /** Writes the entity again, from a copy of the request, as Jersey writes each only once. */
  private static void writeAgain(ClientRequest request, OutputStream out) throws IOException {
    ClientRequest copy = new ClientRequest(request);
    copy.setStreamProvider(length -> out);
    copy.writeEntity();
  }

  /** Whether a property of Jersey's own connector requires streaming of content of known length. */
  private static boolean isOfFixedLength(ClientRequest request) {
    return request.getLengthLong() > 0
        && request.resolveProperty(
            HttpUrlConnectorProvider.USE_FIXED_LENGTH_STREAMING, Boolean.FALSE);
  }

  /** Whether to expect 100 (Continue), by the rules of Jersey's own connector. */
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

  boolean isWatching() {
    return watch.isWatching();
  }

  /** For the User-Agent that Jersey sends. */
  @Override
  public String getName() {
    return "Heddle";
  }

  /**
   * Ends its own asynchronous calls, and releases the clients that all connectors of a Jersey
   * client share; the last connector aborts their running calls. Waits at most a second for running
   * callbacks. Idempotent.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      carriers.release();
      watch.close();
    }
  }
}
