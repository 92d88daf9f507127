package heddle.adapters.elasticsearch;

import co.elastic.clients.transport.DefaultTransportOptions;
import co.elastic.clients.transport.ElasticsearchTransportConfig;
import co.elastic.clients.transport.TransportException;
import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.transport.rest5_client.Rest5ClientOptions;
import heddle.adapters.support.Clients;
import heddle.adapters.support.LimitAdvice;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.settings.DecodingLimits;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of Elasticsearch's client to its nodes, round-robin. If a node does not
 * answer, or says that it is unable to, the next one is tried. Thread-safe.
 */
final class HeddleHttpClient implements TransportHttpClient {
  /** As by the client's own transport. */
  private static final Duration CONNECT = Duration.ofSeconds(1);

  private static final Duration SILENCE = Duration.ofSeconds(30);

  static final LimitAdvice ADVICE = new LimitAdvice(
      "Timeouts.connect by HeddleTransport.with",
      "Timeouts.tls by HeddleTransport.with",
      "Timeouts.silence by HeddleTransport.with",
      null,
      null);

  /** Statuses after which another node is tried, as by the client's own transport. */
  private static final Set<Integer> UNABLE = Set.of(502, 503, 504);

  private final HttpClient client;
  private final Requests requests;
  private final Nodes nodes;

  private HeddleHttpClient(HttpClient client, Requests requests, Nodes nodes) {
    this.client = client;
    this.requests = requests;
    this.nodes = nodes;
  }

  /**
   * Creates a client from a configuration.
   *
   * @throws IllegalArgumentException if something cannot be honoured; the message names it
   */
  static HeddleHttpClient of(
      ElasticsearchTransportConfig config, Consumer<HttpClient.Builder> settings) {
    requireOptions(config.transportOptions());
    List<Node> nodes = new ArrayList<>();
    for (URI host : config.hosts()) {
      nodes.add(node(host));
    }
    HttpClient.Builder builder = Clients.builder(CONNECT, SILENCE);
    if (config.useCompression()) {
      builder.contentCodings(DecodingLimits.DEFAULTS);
    }
    settings.accept(builder);
    if (config.sslContext() != null) {
      builder.tls(Clients.tls(config.sslContext()).build());
    }
    return new HeddleHttpClient(
        builder.build(), new Requests(config), new Nodes(nodes, System::nanoTime));
  }

  private static Node node(URI host) {
    try {
      if (host.getHost() == null) {
        throw new IllegalArgumentException("it names no host; use http:// or https:// and a host");
      }
      if (host.getRawQuery() != null || host.getRawFragment() != null) {
        throw new IllegalArgumentException("it has a query or a fragment");
      }
      if (host.getRawUserInfo() != null) {
        throw new IllegalArgumentException(
            "it has credentials; give them to usernameAndPassword instead");
      }
      Node node = new Node(host);
      heddle.http.Request.builder(node.uri()).build();
      return node;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the host " + shown(host) + " cannot be honoured: " + e.getMessage(), e);
    }
  }

  /** Returns the host without credentials. */
  private static String shown(URI host) {
    return host.getRawUserInfo() == null ? host.toString() : host.getHost();
  }

  private static void requireOptions(@Nullable TransportOptions options) {
    if (options instanceof Rest5ClientOptions) {
      throw new IllegalArgumentException("transportOptions cannot be honoured: Rest5ClientOptions"
          + " are for the transport over Apache's client, and may hold its RequestConfig; use"
          + " DefaultTransportOptions, and set timeouts by HeddleTransport.with");
    }
  }

  @Override
  public TransportOptions createOptions(@Nullable TransportOptions options) {
    requireOptions(options);
    return options == null ? DefaultTransportOptions.EMPTY : options;
  }

  /**
   * Makes a call, trying one node after the other while they fail.
   *
   * @throws IOException if all have failed: the last failure, with the earlier ones suppressed
   */
  @Override
  public TransportHttpClient.Response performRequest(
      String endpointId,
      @Nullable Node node,
      TransportHttpClient.Request request,
      TransportOptions options)
      throws IOException {
    return perform(endpointId, node, request, options, new Running());
  }

  private HeddleResponse perform(
      String endpointId,
      @Nullable Node node,
      TransportHttpClient.Request request,
      TransportOptions options,
      Running running)
      throws IOException {
    requireOptions(options);
    Requests.Draft draft = requests.draft(request, options);
    Iterator<Node> left = (node == null ? nodes.inTurn() : List.of(node)).iterator();
    List<IOException> before = new ArrayList<>();
    while (true) {
      Node next = left.next();
      try {
        HeddleResponse response = send(next, draft, running, left.hasNext());
        if (response != null) {
          requireNoWarnings(endpointId, response, options);
          return response;
        }
      } catch (TransportException e) {
        throw e;
      } catch (IOException e) {
        IOException told = ADVICE.translate(e);
        before.forEach(told::addSuppressed);
        if (!left.hasNext() || isOver(e)) {
          throw told;
        }
        before.add(told);
      }
    }
  }

  /** Whether the caller has given up, so that the failure is not the node's. */
  private static boolean isOver(IOException failure) {
    return failure instanceof CallCancelledException
        || failure instanceof ClientClosedException
        || Thread.currentThread().isInterrupted();
  }

  /**
   * Sends a request. Returns null if the node says that it is unable to answer and another may be
   * tried.
   */
  private @Nullable HeddleResponse send(
      Node node, Requests.Draft draft, Running running, boolean mayGoOn) throws IOException {
    heddle.http.Request request = draft.to(node);
    heddle.http.Response response;
    try {
      response = running.execute(client.newCall(request));
    } catch (IOException e) {
      if (!isOver(e)) {
        nodes.failed(node);
      }
      throw e;
    }
    if (!UNABLE.contains(response.status().code())) {
      nodes.answered(node);
    } else {
      nodes.failed(node);
      if (mayGoOn) {
        response.close();
        return null;
      }
    }
    return new HeddleResponse(node, draft.method(), response);
  }

  private static void requireNoWarnings(
      String endpointId, HeddleResponse response, TransportOptions options)
      throws TransportException {
    Function<List<String>, Boolean> judge = options.onWarnings();
    List<String> warnings = judge == null ? List.of() : warnings(response);
    if (judge != null && !warnings.isEmpty() && judge.apply(warnings)) {
      throw new TransportException(response, "Warnings that fail it: " + warnings, endpointId);
    }
  }

  /** The quoted texts: {@code 299 Elasticsearch-9 "text"} (RFC 7234 section 5.5). */
  private static List<String> warnings(HeddleResponse response) {
    List<String> texts = new ArrayList<>();
    for (String warning : response.headers("Warning")) {
      int open = warning.indexOf('"');
      int close = warning.indexOf('"', open + 1);
      texts.add(open < 0 || close < 0 ? warning : warning.substring(open + 1, close));
    }
    return texts;
  }

  /**
   * Makes a call on a virtual thread, which also decodes the response. Cancelling the future, or
   * completing it in any other way, aborts the call.
   */
  @Override
  public CompletableFuture<TransportHttpClient.Response> performRequestAsync(
      String endpointId,
      @Nullable Node node,
      TransportHttpClient.Request request,
      TransportOptions options) {
    CompletableFuture<TransportHttpClient.Response> outcome = new CompletableFuture<>();
    Running running = new Running();
    var ignored = outcome.whenComplete((response, failure) -> running.cancel());
    Thread.ofVirtual().name("heddle-elasticsearch").start(() -> {
      try {
        HeddleResponse response = perform(endpointId, node, request, options, running);
        running.call = null;
        if (!outcome.complete(response)) {
          response.close(); // The call was cancelled.
        }
      } catch (IOException | RuntimeException | Error e) {
        running.call = null;
        outcome.completeExceptionally(e); // Including errors: the caller waits for the future.
      }
    });
    return outcome;
  }

  /** The call to the node that is being tried. */
  private static final class Running {
    private volatile boolean cancelled;

    /** Set before {@code cancelled} is read, and read after that is set. */
    private volatile @Nullable HttpCall call;

    heddle.http.Response execute(HttpCall next) throws IOException {
      call = next;
      if (cancelled) {
        next.cancel();
      }
      return next.execute();
    }

    void cancel() {
      cancelled = true;
      HttpCall running = call;
      if (running != null) {
        running.cancel();
      }
    }
  }

  /** Refuses further calls. Running calls have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    client.close();
  }
}
