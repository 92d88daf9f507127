package heddle.http;

/** A version of HTTP that a message was sent with. */
public enum HttpVersion {
  /** RFC 1945. */
  HTTP_1_0("HTTP/1.0"),

  /** RFC 9112. */
  HTTP_1_1("HTTP/1.1"),

  /** RFC 9113. */
  HTTP_2("HTTP/2");

  private final String text;

  HttpVersion(String text) {
    this.text = text;
  }

  /** The name as it stands in a message, such as {@code HTTP/1.1}. */
  @Override
  public String toString() {
    return text;
  }
}
