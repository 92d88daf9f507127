package heddle.web.files;

import heddle.web.syntax.AcceptEncoding;

/** The codings of files that were compressed beforehand, the preferred one first. */
enum Coding {
  BR("br", ".br"),
  ZSTD("zstd", ".zst"),
  GZIP("gzip", ".gz");

  /** As Content-Encoding names it (RFC 9110 section 8.4.1). */
  final String token;

  /** What the name of the compressed file ends with. */
  final String suffix;

  Coding(String token, String suffix) {
    this.token = token;
    this.suffix = suffix;
  }

  /** The weight of a coding in a request, in thousandths; 0 if the client does not take it. */
  static int weight(AcceptEncoding accepted, Coding coding) {
    return accepted.weight(coding.token);
  }

  /** The weight of content without a coding: if it is not named, less than any coding that is. */
  static int weightOfIdentity(AcceptEncoding accepted) {
    int named = accepted.named("identity");
    return named >= 0 ? named : accepted.others() == 0 ? 0 : 1;
  }
}
