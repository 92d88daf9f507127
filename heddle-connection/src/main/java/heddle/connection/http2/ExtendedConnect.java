package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;

/** How an extended CONNECT (RFC 8441) is shown to handlers: as HTTP/1.1 offers an upgrade. */
final class ExtendedConnect {
  private ExtendedConnect() {}

  /**
   * A GET with an Upgrade field instead of an extended CONNECT; any other head as it is. What
   * follows is not content (RFC 9110 §9.3.6), so fields that describe content are left out.
   */
  static Http2Event.RequestHead shown(Http2Event.RequestHead head) {
    String protocol = head.protocol();
    if (protocol == null) {
      return head;
    }
    Headers fields = head.headers().toBuilder()
        .remove(HeaderName.CONTENT_LENGTH)
        .remove(HeaderName.EXPECT)
        .set(HeaderName.UPGRADE, protocol)
        .build();
    return new Http2Event.RequestHead(
        head.stream(),
        Method.GET,
        head.scheme(),
        head.authority(),
        head.target(),
        protocol,
        fields,
        head.endStream());
  }
}
