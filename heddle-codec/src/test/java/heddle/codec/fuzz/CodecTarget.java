package heddle.codec.fuzz;

import heddle.codec.hpack.HpackFuzz;
import heddle.codec.http1.Http1Fuzz;
import heddle.codec.http2.Http2Fuzz;
import heddle.codec.socks.SocksFuzz;
import heddle.testwatch.FuzzTarget;
import java.util.List;

/** The codecs, and the parsers of {@code heddle.http}. */
enum CodecTarget implements FuzzTarget {
  HTTP1_SERVER,
  HTTP1_CLIENT,
  CHUNKS,
  HPACK_DECODER,
  HPACK_ROUND_TRIP,
  HTTP2_SERVER,
  HTTP2_CLIENT,
  SOCKS,
  URL,
  AUTHORITY,
  MEDIA_TYPE,
  CHALLENGES,
  DATE,
  TEMPLATE;

  @Override
  public void run(byte[] input) throws Exception {
    switch (this) {
      case HTTP1_SERVER -> Http1Fuzz.server(input);
      case HTTP1_CLIENT -> Http1Fuzz.client(input);
      case CHUNKS -> Http1Fuzz.chunks(input);
      case HPACK_DECODER -> HpackFuzz.decode(input);
      case HPACK_ROUND_TRIP -> HpackFuzz.roundTrip(input);
      case HTTP2_SERVER -> Http2Fuzz.server(input);
      case HTTP2_CLIENT -> Http2Fuzz.client(input);
      case SOCKS -> SocksFuzz.proxy(input);
      case URL -> SyntaxFuzz.url(input);
      case AUTHORITY -> SyntaxFuzz.authority(input);
      case MEDIA_TYPE -> SyntaxFuzz.mediaType(input);
      case CHALLENGES -> SyntaxFuzz.challenges(input);
      case DATE -> SyntaxFuzz.date(input);
      case TEMPLATE -> SyntaxFuzz.template(input);
    }
  }

  @Override
  public List<byte[]> seeds() {
    return switch (this) {
      case HTTP1_SERVER -> Http1Fuzz.seeds(true);
      case HTTP1_CLIENT -> Http1Fuzz.seeds(false);
      case CHUNKS -> Http1Fuzz.chunkSeeds();
      case HPACK_DECODER -> HpackFuzz.decodeSeeds();
      case HPACK_ROUND_TRIP -> HpackFuzz.fieldSeeds();
      case HTTP2_SERVER -> Http2Fuzz.serverSeeds();
      case HTTP2_CLIENT -> Http2Fuzz.clientSeeds();
      case SOCKS -> SocksFuzz.seeds();
      case URL ->
        SyntaxFuzz.seeds(
            "http://a/", "https://[::1]:8443/b?c", "http://ex\u00e4mple.test/%20 x", "../d?e#f");
      case AUTHORITY -> SyntaxFuzz.seeds("a", "a:80", "[::1]:1", "1.2.3.4:65535");
      case MEDIA_TYPE -> SyntaxFuzz.seeds("text/plain", "a/b; c=\"d \\\" e\" ; charset=utf-8");
      case CHALLENGES ->
        SyntaxFuzz.seeds(
            "Basic realm=\"a\"", "Negotiate YWJj==, Digest nonce=\"n\", qop=\"auth,auth-int\"");
      case DATE ->
        SyntaxFuzz.seeds(
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun, 31 Feb 2024 24:00:60 GMT",
            "120");
      case TEMPLATE ->
        SyntaxFuzz.seeds(
            "http://a/b/{id}/c?d={e}\nx y\n/&\u00e4",
            "http://a/{b}\n..",
            "http://a/b{c}d\n.",
            "http://a/{b\nc");
    };
  }
}
