package heddle.web;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Response;
import heddle.http.Status;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was not answered as it asked: the problem details of RFC 9457. Immutable and safe
 * to share; each method that sets a member returns another problem.
 *
 * <pre>{@code
 * Problem.of(409).detail("order 17 was sent already").with("order", 17).toResponse();
 * }</pre>
 */
public final class Problem {
  /** {@code application/problem+json}. */
  public static final MediaType MEDIA_TYPE = MediaType.of("application", "problem+json");

  private static final String TITLE = "title";
  private static final String DETAIL = "detail";

  /** Members that have a method of their own (RFC 9457 section 3.1). */
  private static final Set<String> STANDARD = Set.of("type", TITLE, "status", DETAIL, "instance");

  private final Status status;
  private final Map<String, Object> members;

  private Problem(Status status, Map<String, Object> members) {
    this.status = status;
    this.members = members;
  }

  /**
   * A problem that is the status and no more: its title is the registered phrase, its type {@code
   * about:blank}, which is omitted.
   *
   * @param status from 400 to 599
   * @throws IllegalArgumentException for another status
   */
  public static Problem of(int status) {
    return of(Status.of(status));
  }

  /** As {@link #of(int)}. */
  public static Problem of(Status status) {
    if (!status.isClientError() && !status.isServerError()) {
      throw new IllegalArgumentException(
          "a problem has a status from 400 to 599, not " + status.code());
    }
    Map<String, Object> members = new LinkedHashMap<>();
    if (!status.reason().isEmpty()) {
      members.put(TITLE, status.reason());
    }
    members.put("status", status.code());
    return new Problem(status, Collections.unmodifiableMap(members));
  }

  /** Sets the URI that identifies the kind of problem (RFC 9457 section 3.1.1). */
  public Problem type(URI type) {
    return set("type", type.toString());
  }

  /** Sets a short text that is the same for all problems of this type (section 3.1.3). */
  public Problem title(String title) {
    return set(TITLE, title);
  }

  /**
   * Sets a text about this occurrence, which helps the client to correct it (section 3.1.4). The
   * client reads it: do not put what must stay in the server into it.
   *
   * @param detail null for none
   */
  public Problem detail(@Nullable String detail) {
    return set(DETAIL, detail);
  }

  /** Sets the URI that identifies this occurrence (section 3.1.5). */
  public Problem instance(URI instance) {
    return set("instance", instance.toString());
  }

  /**
   * Sets an extension member (section 3.2).
   *
   * @param name of letters, digits and underscores
   * @param value a string, a finite number or a boolean
   * @throws IllegalArgumentException for another value, or the name of a standard member
   */
  public Problem with(String name, Object value) {
    if (STANDARD.contains(name)) {
      throw new IllegalArgumentException(name + " is a standard member: call the method for it");
    }
    boolean finite = value instanceof Number number && Double.isFinite(number.doubleValue());
    if (!(value instanceof String || value instanceof Boolean || finite)) {
      throw new IllegalArgumentException(
          "the member %s is a string, a finite number or a boolean, not %s".formatted(name, value));
    }
    return set(name, value);
  }

  private Problem set(String name, @Nullable Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(members);
    if (value == null) {
      changed.remove(name);
    } else {
      changed.put(name, value);
    }
    return new Problem(status, Collections.unmodifiableMap(changed));
  }

  /** The status. */
  public Status status() {
    return status;
  }

  /** What was set with {@link #detail}; null if nothing. */
  public @Nullable String detail() {
    return (String) members.get(DETAIL);
  }

  /** The members as a JSON object (RFC 9457 section 3). */
  public String toJson() {
    return JsonText.object(members);
  }

  /** A response with this status and the problem details as JSON. */
  public Response toResponse() {
    return Response.builder(status).body(Body.of(toJson(), MEDIA_TYPE)).build();
  }

  /** The problem as a line of plain text, for clients that do not accept JSON. */
  Response toTextResponse() {
    return Response.builder(status).body(Body.of(this + "\n")).build();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Problem other && members.equals(other.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  /** Status, title and detail on a line, such as {@code 404 Not Found: there is no user 7}. */
  @Override
  public String toString() {
    Object title = members.get(TITLE);
    String head = title == null ? Integer.toString(status.code()) : status.code() + " " + title;
    return detail() == null ? head : head + ": " + detail();
  }
}
