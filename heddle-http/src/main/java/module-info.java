/** The values that both sides of an exchange share. */
module heddle.http {
  requires static transitive org.jspecify;

  exports heddle.http;
  exports heddle.http.failure;
  exports heddle.http.io to
      heddle.client;
  exports heddle.http.syntax to
      heddle.client,
      heddle.codec,
      heddle.connection,
      heddle.testkit,
      heddle.transport;

  uses heddle.http.BodyCodec;
}
