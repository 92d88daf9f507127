/** JSON by Jackson 2, for the values of requests and responses. */
module heddle.jackson2 {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires transitive com.fasterxml.jackson.databind;

  exports heddle.jackson2;

  provides heddle.http.BodyCodec with
      heddle.jackson2.Jackson2Codec;
}
