package heddle.bench.drivers.netty;

import heddle.bench.driver.DriverRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** A request in the forms that the two codecs need. Safe for use by many threads. */
final class Outgoing {

  private final FullHttpRequest http1;
  private final FullHttpRequest last;
  private final Http2Headers http2;
  private final ByteBuf content;

  Outgoing(DriverRequest request) {
    URI uri = request.uri();
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    HttpMethod method = request.isPost() ? HttpMethod.POST : HttpMethod.GET;
    content = request.isPost()
        ? Unpooled.unreleasableBuffer(
            Unpooled.directBuffer(request.contentLength()).writeBytes(request.content()))
        : Unpooled.EMPTY_BUFFER;
    DefaultHttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.HOST, uri.getRawAuthority());
    if (request.isPost()) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, request.contentLength());
    }
    String type = request.contentType();
    if (type != null) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, type);
    }
    http1 = new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1, method, target, content, headers, EmptyHttpHeaders.INSTANCE);
    last = new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1,
        method,
        target,
        content,
        headers.copy().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE),
        EmptyHttpHeaders.INSTANCE);
    http2 = ReadOnlyHttp2Headers.clientHeaders(
        false,
        method.asciiName(),
        AsciiString.of(target),
        AsciiString.of(uri.getScheme()),
        AsciiString.of(uri.getRawAuthority()),
        fields(request));
  }

  private static AsciiString[] fields(DriverRequest request) {
    List<AsciiString> fields = new ArrayList<>();
    if (request.isPost()) {
      fields.add(HttpHeaderNames.CONTENT_LENGTH);
      fields.add(AsciiString.of(String.valueOf(request.contentLength())));
    }
    String type = request.contentType();
    if (type != null) {
      fields.add(HttpHeaderNames.CONTENT_TYPE);
      fields.add(AsciiString.of(type));
    }
    return fields.toArray(AsciiString[]::new);
  }

  /**
   * The codec releases what it has written and moves its reader index. The empty buffer is not
   * affected, so one request serves all exchanges; others get a view of unreleasable content.
   *
   * @param isLast whether the server is to close the connection after its answer
   */
  FullHttpRequest http1(boolean isLast) {
    FullHttpRequest request = isLast ? last : http1;
    return hasContent() ? request.replace(content.duplicate()) : request;
  }

  Http2Headers http2() {
    return http2;
  }

  boolean hasContent() {
    return content.isReadable();
  }

  /** A view of the content. */
  ByteBuf content() {
    return content.duplicate();
  }
}
