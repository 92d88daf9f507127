package heddle.adapters.aws;

import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockServer;
import heddle.transport.tls.TlsOptions;
import java.security.KeyStore;
import software.amazon.awssdk.http.HttpTestUtils;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.ProtocolNegotiation;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** What lies between client and server. */
enum Wire {
  HTTP_1_1(false, Protocol.HTTP1_1, ProtocolNegotiation.ASSUME_PROTOCOL),
  HTTP_2(false, Protocol.HTTP2, ProtocolNegotiation.ASSUME_PROTOCOL),
  TLS_HTTP_1_1(true, Protocol.HTTP1_1, ProtocolNegotiation.ASSUME_PROTOCOL),
  TLS_HTTP_2(true, Protocol.HTTP2, ProtocolNegotiation.ASSUME_PROTOCOL),
  TLS_ALPN(true, Protocol.HTTP2, ProtocolNegotiation.ALPN);

  private final boolean secure;
  private final Protocol protocol;
  private final ProtocolNegotiation negotiation;

  Wire(boolean secure, Protocol protocol, ProtocolNegotiation negotiation) {
    this.secure = secure;
    this.protocol = protocol;
    this.negotiation = negotiation;
  }

  boolean isHttp2() {
    return protocol == Protocol.HTTP2;
  }

  MockServer serve(MockHandler handler) throws Exception {
    MockServer.Builder server = MockServer.builder().handler(handler);
    return secure ? server.tls(identity()).start() : server.start();
  }

  static TlsOptions identity() throws Exception {
    KeyStore store = HttpTestUtils.getSelfSignedKeyStore();
    return TlsOptions.builder().identity(store, "changeit".toCharArray()).build();
  }

  /** A builder with what the wire needs. */
  <B extends ClientBuilder<B>> B over(B builder) {
    return builder
        .protocol(protocol)
        .protocolNegotiation(negotiation)
        .option(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, secure);
  }

  SdkHttpRequest.Builder request(MockServer server, SdkHttpMethod method, String path) {
    return request(server.port(), method, path);
  }

  SdkHttpRequest.Builder request(int port, SdkHttpMethod method, String path) {
    return SdkHttpRequest.builder()
        .protocol(secure ? "https" : "http")
        .host("127.0.0.1")
        .port(port)
        .method(method)
        .encodedPath(path);
  }
}
