/** The content coding br, for requests and responses. */
module heddle.brotli {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires com.aayushatharva.brotli4j;

  exports heddle.brotli;

  provides heddle.http.ContentCoding with
      heddle.brotli.BrotliCoding;
}
