/** The content coding zstd, for requests and responses. */
module heddle.zstd {
  requires static transitive org.jspecify;
  requires transitive heddle.http;
  requires com.github.luben.zstd_jni;

  exports heddle.zstd;

  provides heddle.http.ContentCoding with
      heddle.zstd.ZstdCoding;
}
