package heddle.http;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What logs and recordings do not show: the values of fields with credentials, user information in
 * URLs, and the values of some query parameters. Only the values are masked: names stay. Immutable.
 *
 * <pre>{@code
 * Redaction redaction = Redaction.DEFAULTS.withFields("X-Api-Key").withParameters("access_token");
 * redaction.url(request); // https://example.com/users?access_token=***&page=2
 * }</pre>
 */
public final class Redaction {
  /**
   * Masks fields with {@linkplain HeaderName#isCredential credentials}, user information in the
   * URLs of fields, and the parameters of signed URLs: {@code AWSAccessKeyId}, {@code Signature},
   * {@code sig} and {@code X-Goog-Signature}.
   */
  public static final Redaction DEFAULTS = new Redaction(
      true, Set.of(), Set.of("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature"), "***");

  private static final Redaction NONE = new Redaction(false, Set.of(), Set.of(), "***");

  /** Fields whose value is a URL, or a reference to one. */
  private static final Set<HeaderName> URLS =
      Set.of(HeaderName.LOCATION, HeaderName.CONTENT_LOCATION, HeaderName.REFERER);

  private final boolean credentials;
  private final Set<HeaderName> fields;
  private final Set<String> parameters;
  private final String mask;

  private Redaction(
      boolean credentials, Set<HeaderName> fields, Set<String> parameters, String mask) {
    this.credentials = credentials;
    this.fields = fields;
    this.parameters = parameters;
    this.mask = mask;
  }

  /** Masks nothing: credentials are shown. */
  public static Redaction none() {
    return NONE;
  }

  /**
   * Masks these fields too.
   *
   * @throws IllegalArgumentException if a name is not a token
   */
  public Redaction withFields(String... names) {
    Set<HeaderName> more = new HashSet<>(fields);
    for (String name : names) {
      more.add(HeaderName.of(name));
    }
    return new Redaction(credentials, Set.copyOf(more), parameters, mask);
  }

  /**
   * Masks these parameters of queries and forms too.
   *
   * @param names as in the query: case-sensitive, with their escapes
   */
  public Redaction withParameters(String... names) {
    Set<String> more = new HashSet<>(parameters);
    more.addAll(List.of(names));
    return new Redaction(credentials, fields, Set.copyOf(more), mask);
  }

  /** Shows this text instead of a value; {@code ***} by default. */
  public Redaction withMask(String text) {
    return new Redaction(credentials, fields, parameters, text);
  }

  /** Whether the values of this field are masked. */
  public boolean masks(HeaderName name) {
    return (credentials && name.isCredential()) || fields.contains(name);
  }

  /** The value of a field, masked or as it is; in a URL, what is to be masked there. */
  public String value(HeaderName name, String value) {
    if (masks(name)) {
      return mask;
    }
    String shown = credentials ? withoutUserInformation(value) : value;
    return URLS.contains(name) ? target(shown) : shown;
  }

  /** RFC 3986 section 3.2.1: what stands between two slashes and the last at-sign before a path. */
  private String withoutUserInformation(String value) {
    int authority = value.indexOf("//") + 2;
    int at = authority < 2 ? -1 : value.indexOf('@', authority);
    if (at < 0) {
      return value;
    }
    int end = authority;
    while (end < value.length() && "/?#".indexOf(value.charAt(end)) < 0) {
      end++;
    }
    at = value.lastIndexOf('@', end - 1);
    return at < authority ? value : value.substring(0, authority) + mask + value.substring(at);
  }

  /** A URL, a reference or a request-target, with what is masked in its query and fragment. */
  public String target(String target) {
    int fragment = target.indexOf('#');
    if (fragment >= 0) {
      // Some services of authentication answer with credentials there (RFC 6749 section 4.2.2).
      String rest = parameters(target.substring(fragment + 1));
      return target(target.substring(0, fragment)) + '#' + rest;
    }
    int query = target.indexOf('?');
    return query < 0
        ? target
        : target.substring(0, query + 1) + parameters(target.substring(query + 1));
  }

  /** A query or the content of a form, such as {@code a=1&sig=***}. */
  public String parameters(String encoded) {
    return parameters.isEmpty()
        ? encoded
        : Stream.of(encoded.split("&", -1)).map(this::parameter).collect(Collectors.joining("&"));
  }

  private String parameter(String parameter) {
    int equals = parameter.indexOf('=');
    return equals >= 0 && parameters.contains(parameter.substring(0, equals))
        ? parameter.substring(0, equals + 1) + mask
        : parameter;
  }

  /**
   * The URL of a request; without a target that is not part of a URL (RFC 9112 sections 3.2.3 and
   * 3.2.4).
   */
  public String url(Request request) {
    Origin origin = request.origin();
    String base = origin.scheme() + "://" + origin.hostHeader();
    boolean hasPath = request.method() != Method.CONNECT && !request.target().equals("*");
    return hasPath ? base + target(request.target()) : base;
  }
}
