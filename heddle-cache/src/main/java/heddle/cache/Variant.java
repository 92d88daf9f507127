package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a stored response answers (RFC 9111 section 4.1).
 *
 * @param fields that its Vary names, with their values in the request that it answered
 * @param credentials of that request; null if the response is public, so that others get it too
 */
record Variant(List<Selecting> fields, @Nullable String credentials) {
  /** More fields than this are no negotiation. */
  static final int MOST_FIELDS = 32;

  /**
   * A field that selects.
   *
   * @param value in its normal form; null if the request did not have the field
   */
  record Selecting(HeaderName name, @Nullable String value) {
    boolean matches(Headers request) {
      return Objects.equals(value, FieldLists.normalised(request, name));
    }
  }

  Variant {
    fields = List.copyOf(fields);
  }

  /**
   * What selects a response again; null if nothing can: it varies by more than the request, or by a
   * field that a later step of the client adds, so that the cache does not know what the next
   * request will send.
   *
   * @param headers of the response
   * @param sent the request as it was sent; null if that is not known
   */
  static @Nullable Variant of(
      Lookup asked, Headers headers, @Nullable Request sent, boolean isPublic) {
    boolean coded = headers.contains(HeaderName.CONTENT_ENCODING);
    Headers received = asked.request().headers();
    Headers asSent = sent == null ? received : sent.headers();
    List<HeaderName> names = names(headers);
    if (names == null) {
      return null;
    }
    if (coded && !names.contains(HeaderName.ACCEPT_ENCODING)) {
      // A caller who asks for no coding gets decoded content, so coded content is not for it.
      names.add(HeaderName.ACCEPT_ENCODING);
    }
    List<Selecting> fields = new ArrayList<>();
    for (HeaderName name : names) {
      Selecting selecting = new Selecting(name, FieldLists.normalised(received, name));
      if (!selecting.matches(asSent) && !isSteady(selecting, coded)) {
        return null;
      }
      fields.add(selecting);
    }
    return new Variant(fields, isPublic ? null : asked.credentials());
  }

  /** Whether the client adds the same to each request, and undoes what the server does with it. */
  private static boolean isSteady(Selecting selecting, boolean coded) {
    HeaderName name = selecting.name();
    return selecting.value() == null
        && (name == HeaderName.USER_AGENT || (name == HeaderName.ACCEPT_ENCODING && !coded));
  }

  private static @Nullable List<HeaderName> names(Headers headers) {
    List<HeaderName> names = new ArrayList<>();
    for (String each : FieldLists.elements(headers, HeaderName.VARY)) {
      if (each.equals("*") || names.size() == MOST_FIELDS) {
        return null;
      }
      try {
        names.add(HeaderName.of(each));
      } catch (IllegalArgumentException e) {
        return null; // No request has a field of such a name, so it varies by something else.
      }
    }
    return names;
  }

  /** Whether the response is for the user who sends this request. */
  boolean isFor(Lookup asked) {
    return credentials == null || credentials.equals(asked.credentials());
  }

  boolean matches(Lookup asked) {
    return isFor(asked)
        && fields.stream().allMatch(each -> each.matches(asked.request().headers()));
  }

  /** This variant if it is selected by the same fields as the other, for the other's users. */
  Variant orElse(Variant other) {
    return names().equals(other.names()) ? new Variant(fields, other.credentials) : other;
  }

  private List<HeaderName> names() {
    return fields.stream().map(Selecting::name).toList();
  }

  boolean variesBy(HeaderName name) {
    return fields.stream().anyMatch(each -> each.name().equals(name));
  }
}
