package heddle.adapters.jersey;

import heddle.adapters.support.ClientsByOptions;
import heddle.adapters.support.SocketFailures;
import heddle.adapters.support.WrittenContent;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.Configuration;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.client.RequestEntityProcessing;
import org.glassfish.jersey.client.spi.AsyncConnectorCallback;
import org.glassfish.jersey.client.spi.Connector;

/** Makes the calls of one client of Jersey's. Safe for use by many threads. */
final class HeddleConnector implements Connector {
  private final ClientsByOptions<CallOptions> clients;
  private final CancelWatch watch = new CancelWatch();

  /**
   * @throws IllegalArgumentException if a property cannot be honoured, or settings contradict each
   *     other
   */
  HeddleConnector(Settings settings, Configuration configuration) {
    clients = new ClientsByOptions<>(
        "sets of properties (timeouts, redirects, proxy, SSLContext)",
        CallOptions.of(configuration),
        settings::make);
  }

  @Override
  public ClientResponse apply(ClientRequest request) {
    if (request.isCancelled()) {
      throw new ProcessingException(new CancellationException("cancelled before it was sent"));
    }
    try {
      return Messages.response(request, send(request));
    } catch (IOException e) {
      throw new ProcessingException(SocketFailures.translate(e));
    } catch (IllegalArgumentException e) {
      throw new ProcessingException(e);
    }
  }

  private Response send(ClientRequest request) throws IOException {
    HttpClient client = clients.with(CallOptions.of(request));
    Request.Builder head = Messages.head(request);
    if (request.getEntity() == null) {
      return client.send(head.headers(Messages.fields(request)).build());
    }
    WrittenContent content = new WrittenContent(client, head);
    RequestEntityProcessing processing = request.resolveProperty(
        ClientProperties.REQUEST_ENTITY_PROCESSING, RequestEntityProcessing.class);
    if (processing == RequestEntityProcessing.BUFFERED) {
      content.hold(Integer.MAX_VALUE);
    } else if (processing == RequestEntityProcessing.CHUNKED) {
      content.beOfUnknownLength();
    }
    return content.send(out -> {
      request.setStreamProvider(length -> {
        // Only now: writers and their interceptors may have changed the fields.
        head.headers(Messages.fields(request));
        content.announce(request.getLengthLong());
        if (isExpecting(request, processing)) {
          head.expectContinue();
        }
        return out;
      });
      request.writeEntity();
    });
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

  /** Takes no more calls, and aborts those under way. Idempotent. */
  @Override
  public void close() {
    clients.close();
  }
}
