/** JSON by Jackson 3, for the values of requests and responses. */
module heddle.jackson3 {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires transitive tools.jackson.databind;

  exports heddle.jackson3;

  provides heddle.http.BodyCodec with
      heddle.jackson3.Jackson3Codec;
}
