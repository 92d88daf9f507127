package heddle.opentelemetry;

import heddle.http.HeaderName;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeSummary;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.semconv.ClientAttributes;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.NetworkAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import io.opentelemetry.semconv.UrlAttributes;
import io.opentelemetry.semconv.UserAgentAttributes;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One request: its span, and the attributes of its measurements. Used by one thread at a time. */
final class ServerSpan {
  private final Exchange exchange;
  private final @Nullable Attribute<String> route;
  private final String method;
  private final Span span;
  private final Context context;
  private final long requestLength;

  /** Where requests are measured. */
  record Instruments(DoubleHistogram durations, LongHistogram requests, LongHistogram responses) {}

  ServerSpan(
      Tracer tracer,
      Context parent,
      Exchange exchange,
      Redaction redaction,
      @Nullable Attribute<String> route) {
    Request request = exchange.request();
    this.exchange = exchange;
    this.route = route;
    this.method = Conventions.name(request.method());
    this.requestLength = request.body().length();
    SpanBuilder builder = tracer
        .spanBuilder(Conventions.spanName(request.method()))
        .setSpanKind(SpanKind.SERVER)
        .setParent(parent)
        .setAllAttributes(measured().build());
    describe(builder, request, redaction);
    this.span = builder.startSpan();
    this.context = parent.with(span);
  }

  private void describe(SpanBuilder builder, Request request, Redaction redaction) {
    if (!Conventions.isKnown(request.method())) {
      builder.setAttribute(
          HttpAttributes.HTTP_REQUEST_METHOD_ORIGINAL, request.method().name());
    }
    Origin origin = request.origin();
    builder.setAttribute(ServerAttributes.SERVER_ADDRESS, origin.host());
    builder.setAttribute(ServerAttributes.SERVER_PORT, (long) origin.port());
    boolean hasPath = request.method() != Method.CONNECT && !request.target().equals("*");
    if (hasPath) {
      String target = redaction.target(request.target());
      int query = target.indexOf('?');
      builder.setAttribute(UrlAttributes.URL_PATH, query < 0 ? target : target.substring(0, query));
      if (query >= 0) {
        builder.setAttribute(UrlAttributes.URL_QUERY, target.substring(query + 1));
      }
    }
    String agent = request.headers().first(HeaderName.USER_AGENT);
    if (agent != null) {
      builder.setAttribute(UserAgentAttributes.USER_AGENT_ORIGINAL, agent);
    }
    if (exchange.remoteAddress() instanceof InetSocketAddress peer && peer.getAddress() != null) {
      String address = peer.getAddress().getHostAddress();
      builder.setAttribute(ClientAttributes.CLIENT_ADDRESS, address);
      builder.setAttribute(NetworkAttributes.NETWORK_PEER_ADDRESS, address);
      builder.setAttribute(NetworkAttributes.NETWORK_PEER_PORT, (long) peer.getPort());
    }
  }

  Context context() {
    return context;
  }

  /** What the number of active requests is counted by. */
  Attributes activeAttributes() {
    return Attributes.of(
        HttpAttributes.HTTP_REQUEST_METHOD,
        method,
        UrlAttributes.URL_SCHEME,
        exchange.request().origin().scheme());
  }

  /** Attributes of both the span and the measurements. */
  private AttributesBuilder measured() {
    return activeAttributes().toBuilder()
        .put(NetworkAttributes.NETWORK_PROTOCOL_VERSION, Conventions.name(exchange.version()));
  }

  void end(ExchangeSummary end, Instruments instruments) {
    long code = end.status().code();
    AttributesBuilder measured = measured().put(HttpAttributes.HTTP_RESPONSE_STATUS_CODE, code);
    span.setAttribute(HttpAttributes.HTTP_RESPONSE_STATUS_CODE, code);
    String template = route == null ? null : exchange.get(route);
    if (template != null) {
      measured.put(HttpAttributes.HTTP_ROUTE, template);
      span.setAttribute(HttpAttributes.HTTP_ROUTE, template);
      span.updateName(Conventions.spanName(exchange.request().method()) + " " + template);
    }
    String error = errorType(end);
    if (error != null) {
      Conventions.fail(span, measured, error, end.failure());
    }
    span.end();
    Attributes attributes = measured.build();
    instruments.durations.record(
        end.elapsed().toNanos() / Conventions.NANOS_PER_SECOND, attributes, context);
    if (requestLength >= 0) {
      instruments.requests.record(requestLength, attributes, context);
    }
    instruments.responses.record(end.contentBytes(), attributes, context);
  }

  /** A 4xx is no error of the server, even if the handler has thrown. */
  private static @Nullable String errorType(ExchangeSummary end) {
    if (end.status().isClientError() && end.complete()) {
      return null;
    }
    if (end.failure() != null) {
      return end.failure().getClass().getName();
    }
    if (!end.complete()) {
      return "cut";
    }
    return end.status().isServerError() ? Integer.toString(end.status().code()) : null;
  }
}
