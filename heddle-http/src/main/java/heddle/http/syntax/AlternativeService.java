package heddle.http.syntax;

import java.util.ArrayList;
import java.util.List;

/**
 * A service that an origin names as an alternative to itself, by the field Alt-Svc (RFC 7838 §3).
 *
 * @param protocol its ALPN identifier (RFC 7301), decoded: one char for each octet
 * @param host in small letters, an IPv6 address without brackets; empty for that of the origin
 * @param port 1 to 65,535
 * @param maxAgeSeconds how long the origin's word holds
 */
public record AlternativeService(String protocol, String host, int port, long maxAgeSeconds) {
  private static final int MAX_SERVICES = 16;
  private static final int MAX_PARAMETERS = 16;
  private static final long DEFAULT_MAX_AGE = 86_400;

  /**
   * The alternatives in a field's value, in the order of the server's preference. The parameter
   * persist is read and has no meaning here: a change of networks is not noticed.
   *
   * @return empty if the value is {@code clear}: the alternatives that were named before are void
   * @throws IllegalArgumentException if it breaks the grammar, or has more than 16 alternatives or
   *     parameters of one; the message says at which index
   */
  public static List<AlternativeService> parse(String value) {
    FieldParser in = new FieldParser(value, "a list of alternative services");
    if (value.equals("clear")) {
      return List.of();
    }
    List<AlternativeService> services = new ArrayList<>();
    skipCommas(in);
    do {
      if (services.size() == MAX_SERVICES) {
        throw in.wrong("more than " + MAX_SERVICES + " alternatives");
      }
      services.add(one(in));
      if (in.peek() >= 0 && in.peek() != ',') {
        throw in.wrong("neither a comma nor the end");
      }
      skipCommas(in);
    } while (in.peek() >= 0);
    return List.copyOf(services);
  }

  /** A list may have empty elements (RFC 9110 §5.6.1.2). */
  private static void skipCommas(FieldParser in) {
    in.at = in.after(c -> c == ',' || Octets.isBlank(c), in.at);
  }

  /** protocol-id "=" alt-authority *( OWS ";" OWS parameter ). */
  private static AlternativeService one(FieldParser in) {
    String protocol = protocol(in);
    in.expect('=');
    if (in.peek() != '"') {
      throw in.wrong("not a quoted authority");
    }
    int start = in.at;
    String authority = in.parameterValue();
    int colon = authority.lastIndexOf(':');
    int port = port(authority.substring(colon + 1));
    if (colon < 0 || port < 0) {
      in.at = start;
      throw in.wrong("an authority without a port from 1 to 65535");
    }
    String host = colon == 0 ? "" : Host.parse(authority, 0, colon);
    long maxAge = DEFAULT_MAX_AGE;
    in.skipBlanks();
    for (int parameters = 0; in.peek() == ';'; parameters++) {
      if (parameters == MAX_PARAMETERS) {
        throw in.wrong("more than " + MAX_PARAMETERS + " parameters");
      }
      in.at++;
      in.skipBlanks();
      start = in.at;
      String name = in.name();
      in.expect('=');
      String parameter = in.parameterValue();
      if (name.equals("ma")) {
        maxAge = DeltaSeconds.parse(parameter);
        if (maxAge == DeltaSeconds.MALFORMED) {
          in.at = start;
          throw in.wrong("ma without a number of seconds");
        }
      }
      in.skipBlanks();
    }
    return new AlternativeService(protocol, host, port, maxAge);
  }

  /** RFC 7838 §3: octets that are not allowed in tokens, and the percent sign, are encoded. */
  private static String protocol(FieldParser in) {
    int start = in.at;
    String token = in.token("a protocol");
    if (token.indexOf('%') < 0) {
      return token;
    }
    StringBuilder decoded = new StringBuilder();
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      if (c == '%') {
        if (!PercentDecoder.isEscape(token, i, token.length())) {
          in.at = start + i;
          throw in.wrong("a percent sign without two hexadecimal digits");
        }
        c = (char) Integer.parseInt(token, i + 1, i + 3, 16);
        i += 2;
      }
      decoded.append(c);
    }
    return decoded.toString();
  }

  private static int port(String digits) {
    boolean decimal = digits.matches("[0-9]{1,5}");
    int port = decimal ? Integer.parseInt(digits) : 0;
    return port >= 1 && port <= 65_535 ? port : -1;
  }
}
