package heddle.http4k;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import kotlin.Pair;
import kotlin.jvm.functions.Function1;
import org.http4k.core.MemoryBody;
import org.http4k.core.Method;
import org.http4k.core.Request;
import org.http4k.core.RequestSource;
import org.http4k.core.Uri;
import org.jspecify.annotations.Nullable;

/** Answers requests by a handler of http4k. */
final class Http4kHandler implements ExchangeHandler {
  private static final Map<String, Method> METHODS =
      Arrays.stream(Method.values()).collect(Collectors.toMap(Method::name, method -> method));

  private final Function1<? super Request, ? extends org.http4k.core.Response> handler;

  Http4kHandler(Function1<? super Request, ? extends org.http4k.core.Response> handler) {
    this.handler = handler;
  }

  @Override
  public Response handle(Exchange exchange) throws IOException {
    Method method = METHODS.get(exchange.request().method().name());
    if (method == null) {
      return Response.of(Status.NOT_IMPLEMENTED); // RFC 9110 §9.1
    }
    return response(handler.invoke(request(exchange, method)));
  }

  private static Request request(Exchange exchange, Method method) throws IOException {
    heddle.http.Request received = exchange.request();
    Headers given = received.headers();
    List<Pair<String, @Nullable String>> fields = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      fields.add(new Pair<>(given.name(i).toString(), given.value(i)));
    }
    Request request = Request.create(
            method, Uri.of(received.target()), exchange.version().toString())
        .source(source(exchange.remoteAddress(), received.origin().scheme()))
        .headers(fields);
    Body content = received.body();
    return content.length() == 0
        ? request
        : request.body(
            content.stream(), content.length() == Body.UNKNOWN ? null : content.length());
  }

  private static RequestSource source(SocketAddress peer, String scheme) {
    return peer instanceof InetSocketAddress inet && inet.getAddress() != null
        ? new RequestSource(inet.getAddress().getHostAddress(), inet.getPort(), scheme)
        : new RequestSource(peer.toString(), null, scheme);
  }

  private static Response response(org.http4k.core.Response response) {
    Status status = Status.of(response.getStatus().getCode());
    Headers.Builder fields = Headers.builder();
    for (Pair<String, @Nullable String> field : response.getHeaders()) {
      String value = field.getSecond();
      fields.add(field.getFirst(), value == null ? "" : value);
    }
    // How the content is framed is up to the server. Handlers pass on what a client has received.
    fields.remove(HeaderName.TRANSFER_ENCODING);
    Body content = content(response);
    if (content.length() != 0 || status.equals(Status.NO_CONTENT)) {
      fields.remove(HeaderName.CONTENT_LENGTH);
    }
    return Response.builder(status).headers(fields.build()).body(content).build();
  }

  private static Body content(org.http4k.core.Response response) {
    org.http4k.core.Body body = response.getBody();
    if (body instanceof MemoryBody memory) {
      ByteBuffer payload = memory.getPayload().duplicate();
      byte[] content = new byte[payload.remaining()];
      payload.get(content);
      return Body.of(content);
    }
    Long length = body.getLength();
    return Body.of(body.getStream(), length == null ? Body.UNKNOWN : length);
  }
}
