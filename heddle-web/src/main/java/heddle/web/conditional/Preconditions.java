package heddle.web.conditional;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditional requests (RFC 9110 section 13): whether a handler is to go on. Evaluate after the
 * checks that could refuse the request anyway, and before the request changes anything (section
 * 13.2.1).
 *
 * <pre>{@code
 * Status refusal = Preconditions.evaluate(request, article.tag(), article.changed());
 * if (refusal != null) {
 *   return Response.builder(refusal).header("ETag", article.tag().toString()).build();
 * }
 * }</pre>
 *
 * <p>The conditions are taken in the order of section 13.2.2. Times are compared to the second.
 * Dates that cannot be parsed, or occur twice, are ignored, as RFC 9110 says. A malformed If-Match
 * matches nothing. A malformed If-None-Match is ignored with GET and HEAD, where the cost is a
 * larger response, and refused with 400 otherwise, where it protects from overwriting.
 */
public final class Preconditions {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Preconditions() {}

  /**
   * Evaluates the conditions of a request whose target has a representation.
   *
   * @param tag of the representation now, null if it has none; of the variant that would be sent
   * @param lastModified when the representation was changed last, null if not known
   * @return null to go on; 304 for GET and HEAD if the client has the representation, without
   *     content and with the fields of RFC 9110 section 15.4.5; 412 if a condition does not hold;
   *     400 if it is malformed. Null for CONNECT, OPTIONS and TRACE
   */
  public static @Nullable Status evaluate(
      Request request, @Nullable EntityTag tag, @Nullable Instant lastModified) {
    return evaluate(request, true, tag, lastModified);
  }

  /**
   * Evaluates the conditions of a request whose target has no representation, such as a PUT that
   * would create one.
   *
   * @return as {@link #evaluate(Request, EntityTag, Instant)} does: 412 if there is an If-Match
   */
  public static @Nullable Status evaluateMissing(Request request) {
    return evaluate(request, false, null, null);
  }

  private static @Nullable Status evaluate(
      Request request, boolean exists, @Nullable EntityTag tag, @Nullable Instant lastModified) {
    Method method = request.method();
    if (method.equals(Method.CONNECT)
        || method.equals(Method.OPTIONS)
        || method.equals(Method.TRACE)) {
      return null;
    }
    Headers fields = request.headers();
    String ifMatch = list(fields, HeaderName.IF_MATCH);
    if (ifMatch != null) {
      if (!matches(ifMatch, exists, tag, true)) {
        return Status.PRECONDITION_FAILED;
      }
    } else if (isModifiedSince(fields, HeaderName.IF_UNMODIFIED_SINCE, lastModified) == State.YES) {
      return Status.PRECONDITION_FAILED;
    }
    boolean reads = method.equals(Method.GET) || method.equals(Method.HEAD);
    String ifNoneMatch = list(fields, HeaderName.IF_NONE_MATCH);
    if (ifNoneMatch == null) {
      boolean same =
          reads && isModifiedSince(fields, HeaderName.IF_MODIFIED_SINCE, lastModified) == State.NO;
      return same ? Status.NOT_MODIFIED : null;
    }
    if (!isWellFormed(ifNoneMatch)) {
      return reads ? null : Status.BAD_REQUEST;
    }
    if (!matches(ifNoneMatch, exists, tag, false)) {
      return null;
    }
    return reads ? Status.NOT_MODIFIED : Status.PRECONDITION_FAILED;
  }

  /**
   * Whether If-Range allows a part to be sent (RFC 9110 section 13.1.5), as it does if there is no
   * such field. A weak tag allows none, nor does a date that is not exactly the representation's,
   * or is so recent that the representation could have changed twice within its second.
   *
   * @param now the time of the response's Date field
   */
  static boolean allowsRange(
      Request request, @Nullable EntityTag tag, @Nullable Instant lastModified, Instant now) {
    List<String> values = request.headers().all(HeaderName.IF_RANGE);
    if (values.isEmpty()) {
      return true;
    }
    if (values.size() > 1) {
      return false;
    }
    String value = values.get(0);
    if (value.endsWith("\"")) {
      EntityTag wanted = EntityTag.parse(value);
      return wanted != null && tag != null && wanted.matchesStrongly(tag);
    }
    Instant date = HttpDate.parse(value, now);
    if (date == null || lastModified == null) {
      return false;
    }
    Instant changed = lastModified.truncatedTo(ChronoUnit.SECONDS);
    // RFC 9110 section 8.8.2.2: a date is strong if it is a second older than the response.
    return date.equals(changed) && !changed.plus(SECOND).isAfter(now);
  }

  /** The field lines as one list (RFC 9110 section 5.3); null if there are none. */
  private static @Nullable String list(Headers fields, HeaderName name) {
    List<String> values = fields.all(name);
    return values.isEmpty() ? null : values.size() == 1 ? values.get(0) : String.join(",", values);
  }

  private static boolean isWellFormed(String list) {
    return list.equals("*") || EntityTag.parseList(list) != null;
  }

  private static boolean matches(
      String list, boolean exists, @Nullable EntityTag tag, boolean strongly) {
    if (list.equals("*")) {
      return exists;
    }
    List<EntityTag> tags = tag == null ? null : EntityTag.parseList(list);
    if (tag == null || tags == null) {
      return false;
    }
    for (EntityTag each : tags) {
      if (strongly ? each.matchesStrongly(tag) : each.matchesWeakly(tag)) {
        return true;
      }
    }
    return false;
  }

  private enum State {
    YES,
    NO,
    UNKNOWN
  }

  private static State isModifiedSince(
      Headers fields, HeaderName name, @Nullable Instant lastModified) {
    List<String> values = fields.all(name);
    Instant date = values.size() == 1 ? HttpDate.parse(values.get(0)) : null;
    if (date == null || lastModified == null) {
      return State.UNKNOWN;
    }
    return lastModified.truncatedTo(ChronoUnit.SECONDS).isAfter(date) ? State.YES : State.NO;
  }
}
