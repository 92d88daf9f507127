/** JSON by Gson, for the values of requests and responses. */
module heddle.gson {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires transitive com.google.gson;

  exports heddle.gson;

  provides heddle.http.BodyCodec with
      heddle.gson.GsonCodec;
}
