/** The values that both sides of an exchange share. */
module heddle.http {
  requires static transitive org.jspecify;

  exports heddle.http;
  exports heddle.http.failure;
  exports heddle.http.duplex to
      heddle.adapters.jdk,
      heddle.client,
      heddle.connection,
      heddle.okhttp;
  exports heddle.http.io to
      heddle.adapters.apache4,
      heddle.adapters.apache5,
      heddle.adapters.jersey,
      heddle.adapters.spring,
      heddle.adapters.support,
      heddle.adapters.urlconnection,
      heddle.cache,
      heddle.client,
      heddle.connection,
      heddle.doh,
      heddle.okhttp,
      heddle.server,
      heddle.sse,
      heddle.transport,
      heddle.web,
      heddle.websocket;
  exports heddle.http.syntax to
      heddle.cache,
      heddle.client,
      heddle.codec,
      heddle.connection,
      heddle.doh,
      heddle.server,
      heddle.testkit,
      heddle.transport,
      heddle.web;

  uses heddle.http.BodyCodec;
  uses heddle.http.ContentCoding;
}
