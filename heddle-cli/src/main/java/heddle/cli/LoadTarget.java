package heddle.cli;

import heddle.bench.client.HttpTarget;
import heddle.bench.client.RequestChecksum;
import heddle.bench.client.RequestList;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Wire;
import heddle.cli.live.LoadTitle;
import heddle.cli.value.SpanConverter;
import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import heddle.load.Extent;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.schedule.Segment;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of a load for its requests and its connections. */
final class LoadTarget {

  private static final Duration HOLDING_LONGER = Duration.ofSeconds(60);

  @Parameters(
      paramLabel = "URL",
      arity = "0..1",
      description = "Such as http://127.0.0.1:8080/hello.")
  private @Nullable String url;

  @Option(
      names = {"-m", "--method"},
      paramLabel = "METHOD",
      description = "The method (default: GET, or POST with content).")
  private @Nullable String method;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "NAME: VALUE",
      description = "A field of each request; may be repeated.")
  private List<String> headers = List.of();

  @Option(
      names = {"-b", "--body"},
      paramLabel = "TEXT|@FILE",
      description = "Content of each request: text, or that of a file.")
  private @Nullable String body;

  @Option(
      names = "--post",
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "Send this many bytes in a POST instead of a GET.")
  private int postBytes;

  @Option(
      names = "--replay",
      paramLabel = "FILE",
      description = "Send the requests of a file one after the other: METHOD URL, then a line for"
          + " each field, = text or @file for content, and an empty line.")
  private @Nullable Path replay;

  @Option(
      names = "--http",
      paramLabel = "1.1|2",
      defaultValue = "1.1",
      description = "The HTTP version (default 1.1); 2 without TLS is by prior knowledge.")
  private String http = "1.1";

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "The limit of connections (default: one per caller over 1.1, one over 2).")
  private @Nullable Integer connections;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = SpanConverter.class,
      description = "Timeout of a request, including the wait for a connection (30s).")
  private Duration timeout = Duration.ofSeconds(30);

  @Mixin
  private ClientTls tls = new ClientTls();

  /**
   * The requests to send.
   *
   * @throws IllegalArgumentException if options are wrong
   * @throws IOException if a file cannot be read
   */
  List<Request> requests() throws IOException {
    URI base = url();
    if (replay != null) {
      if (method != null || body != null || postBytes != 0 || !headers.isEmpty()) {
        throw new IllegalArgumentException(
            "--replay has its own methods, fields and content: drop -m, -H, -b and --post");
      }
      return RequestList.read(replay, base);
    }
    if (base == null) {
      throw new IllegalArgumentException(
          "give a URL, such as heddle load http://127.0.0.1:8080/hello -d 10s");
    }
    return List.of(one(base));
  }

  private @Nullable URI url() {
    if (url == null) {
      return null;
    }
    String text = GetCommand.absolute(url);
    try {
      URI uri = new URI(text);
      boolean isHttp =
          "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
      if (!isHttp || uri.getHost() == null) {
        throw new IllegalArgumentException(
            "a load needs an absolute URL such as http://127.0.0.1:8080/hello, not " + text);
      }
      return uri;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + e.getMessage(), e);
    }
  }

  private Request one(URI target) throws IOException {
    byte[] content = content(target);
    String name = method != null ? method : content.length > 0 ? "POST" : "GET";
    Request.Builder request = Request.builder(target).method(Method.of(name));
    for (String header : headers) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException("-H takes NAME: VALUE, not " + header);
      }
      request.header(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    return content.length > 0 ? request.body(Body.of(content)).build() : request.build();
  }

  private byte[] content(URI target) throws IOException {
    if (postBytes < 0) {
      throw new IllegalArgumentException("--post takes 0 or more bytes, not " + postBytes);
    }
    if (body == null) {
      return new DriverRequest(target, postBytes, -1).content();
    }
    if (postBytes > 0) {
      throw new IllegalArgumentException("give -b or --post, not both");
    }
    if (!body.startsWith("@")) {
      return body.getBytes(StandardCharsets.UTF_8);
    }
    Path file = Path.of(body.substring(1));
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("-b: there is no file " + file);
    }
    return Files.readAllBytes(file);
  }

  /** Throws {@link IllegalArgumentException} when options are wrong. */
  Wire wire(LoadShape shape) {
    Integer number = ownConnections(shape.segment());
    int concurrency = shape.ownPace().inFlight();
    return switch (http) {
      case "1.1" -> Wire.http1(number == null ? concurrency : number);
      case "2" -> {
        int open = number == null ? 1 : number;
        // Rounded up, so that each caller has a stream.
        int streams = open < 1 ? 1 : (concurrency + open - 1) / open;
        yield Wire.http2(open, streams);
      }
      default -> throw new IllegalArgumentException("--http must be 1.1 or 2, not " + http);
    };
  }

  private @Nullable Integer ownConnections(Segment segment) {
    if (connections == null || segment.isWhole()) {
      return connections;
    }
    segment.require(connections, "connections (--connections)");
    return segment.share(connections);
  }

  /** The timeout of a request; longer than the hold time if requests are held. */
  Duration timeout(LoadShape shape) {
    return shape.pace() instanceof Pace.Held
            && shape.extent() instanceof Extent.Lasting(Duration held)
            && timeout.compareTo(held.plus(HOLDING_LONGER)) < 0
        ? held.plus(HOLDING_LONGER)
        : timeout;
  }

  /**
   * The TLS options of the client.
   *
   * @throws IllegalArgumentException if they contradict each other
   * @throws IOException if a file cannot be read
   */
  TlsOptions tls() throws IOException {
    return tls.options();
  }

  /** Opens the client. */
  HttpTarget open(LoadShape shape, List<Request> requests) throws IOException {
    Pace own = shape.ownPace();
    int waiting = own instanceof Pace.Open open ? open.maxInFlight() : own.inFlight();
    return HttpTarget.open(wire(shape), tls(), timeout(shape), waiting, requests);
  }

  /** The title of the live view, without query and user, which may be secret. */
  LoadTitle title(LoadShape shape, List<Request> requests) {
    Request first = requests.getFirst();
    String sent = requests.size() == 1
        ? first.method() + " " + first.origin() + first.path()
        : requests.size() + " requests in turn";
    return new LoadTitle(sent, wire(shape).protocol().label(), shape);
  }

  /** The description of the whole load in reports, the same for each segment. */
  Map<String, Object> asMap(LoadShape shape, List<Request> requests) throws IOException {
    Wire wire = wire(shape.withSegment(Segment.WHOLE));
    var map = new LinkedHashMap<String, Object>();
    map.put("url", url == null ? String.valueOf(replay) : url);
    map.put("method", requests.getFirst().method().name());
    map.put("requestsInList", requests.size());
    map.put("requestsChecksum", RequestChecksum.of(requests));
    map.put("protocol", wire.protocol().label());
    map.put("connections", wire.connections());
    map.put("streams", wire.streams());
    map.put("timeoutSeconds", timeout(shape).toNanos() / 1e9);
    return map;
  }
}
