package heddle.http;

import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A request method (RFC 9110 section 9): a case-sensitive token. The methods that RFC 9110 and RFC
 * 5789 define are constants and come back as the same instance from {@code of}.
 */
public final class Method {
  /** Asks for a representation; safe: RFC 9110 §9.3.1. */
  public static final Method GET = new Method("GET", true, true);

  /** Asks for the head that GET would have; safe: RFC 9110 §9.3.2. */
  public static final Method HEAD = new Method("HEAD", true, true);

  /** Has the resource process the content; neither safe nor idempotent: RFC 9110 §9.3.3. */
  public static final Method POST = new Method("POST", false, false);

  /** Creates or replaces the representation; idempotent: RFC 9110 §9.3.4. */
  public static final Method PUT = new Method("PUT", false, true);

  /** Removes the resource; idempotent: RFC 9110 §9.3.5. */
  public static final Method DELETE = new Method("DELETE", false, true);

  /** Opens a tunnel through a proxy: RFC 9110 §9.3.6. */
  public static final Method CONNECT = new Method("CONNECT", false, false);

  /** Asks what the resource or the server supports; safe: RFC 9110 §9.3.7. */
  public static final Method OPTIONS = new Method("OPTIONS", true, true);

  /** Asks for the request as it arrived; safe: RFC 9110 §9.3.8. */
  public static final Method TRACE = new Method("TRACE", true, true);

  /** Changes a part of the representation; neither safe nor idempotent: RFC 5789. */
  public static final Method PATCH = new Method("PATCH", false, false);

  private static final Method[] KNOWN = {
    GET, POST, HEAD, PUT, DELETE, PATCH, OPTIONS, CONNECT, TRACE
  };

  private final String name;
  private final byte[] bytes;
  private final boolean safe;
  private final boolean idempotent;

  private Method(String name, boolean safe, boolean idempotent) {
    this.name = name;
    this.bytes = name.getBytes(StandardCharsets.US_ASCII);
    this.safe = safe;
    this.idempotent = idempotent;
  }

  /**
   * The method with this name; one that is not a constant counts as neither safe nor idempotent.
   *
   * @throws IllegalArgumentException if the name is not a token (RFC 9110 section 5.6.2)
   */
  public static Method of(String name) {
    for (Method known : KNOWN) {
      if (known.name.equals(name)) {
        return known;
      }
    }
    Octets.checkToken("a method", name);
    return new Method(name, false, false);
  }

  /**
   * The method whose name is in {@code buf}, for parsers: finds a constant without allocation.
   *
   * @throws IllegalArgumentException if the octets are not a token
   */
  public static Method of(byte[] buf, int off, int len) {
    for (Method known : KNOWN) {
      if (known.bytes.length == len && Arrays.equals(known.bytes, 0, len, buf, off, off + len)) {
        return known;
      }
    }
    Octets.checkToken("a method", buf, off, len);
    return new Method(new String(buf, off, len, StandardCharsets.US_ASCII), false, false);
  }

  /** The name, which is case-sensitive. */
  public String name() {
    return name;
  }

  /** Whether the method is read-only by definition (RFC 9110 section 9.2.1). */
  public boolean isSafe() {
    return safe;
  }

  /** Whether sending it twice has the same effect as once (RFC 9110 section 9.2.2). */
  public boolean isIdempotent() {
    return idempotent;
  }

  /** Length of the name in bytes. */
  public int length() {
    return bytes.length;
  }

  /** Writes the name's bytes to {@code dst} at {@code at} and returns the index after them. */
  public int copyTo(byte[] dst, int at) {
    System.arraycopy(bytes, 0, dst, at, bytes.length);
    return at + bytes.length;
  }

  @Override
  public boolean equals(Object o) {
    return this == o || (o instanceof Method other && name.equals(other.name));
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
