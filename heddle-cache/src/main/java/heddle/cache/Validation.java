package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the server: whether stored responses are still valid, if there are any (RFC 9111
 * section 4.3).
 *
 * @param request to be sent
 * @param candidates which it asks about, the most recent first; empty if it has no conditions
 */
record Validation(Request request, List<CachedResponse> candidates) {
  /**
   * Asks about all responses of the resource that have an entity tag, since another one than the
   * chosen may have become the right one, and otherwise by the time of the last change (section
   * 4.3.1). A request that has conditions of its caller's is sent as it is.
   */
  static Validation of(Lookup asked, List<CachedResponse> stored, @Nullable CachedResponse chosen) {
    if (asked.isHead() || asked.isConditional()) {
      return unconditional(asked);
    }
    List<CachedResponse> tagged = new ArrayList<>();
    for (CachedResponse each : stored) {
      if (each.etag() != null && each.variant().isFor(asked)) {
        tagged.add(each);
      }
    }
    tagged.sort(Comparator.comparingLong(CachedResponse::receivedAt).reversed());
    if (tagged.isEmpty() && chosen != null && chosen.lastModified() != null) {
      tagged.add(chosen);
    }
    if (tagged.isEmpty()) {
      return unconditional(asked);
    }
    Headers.Builder fields = asked.request().headers().toBuilder();
    for (CachedResponse each : tagged) {
      String etag = each.etag();
      if (etag != null) {
        fields.add(HeaderName.IF_NONE_MATCH, etag);
      }
    }
    String modified = tagged.getFirst().lastModified();
    if (tagged.size() == 1 && modified != null) {
      fields.add(HeaderName.IF_MODIFIED_SINCE, modified);
    }
    Request request = asked.request().toBuilder().headers(fields.build()).build();
    return new Validation(request, tagged);
  }

  static Validation unconditional(Lookup asked) {
    return new Validation(asked.request(), List.of());
  }

  boolean isConditional() {
    return !candidates.isEmpty();
  }

  /** The response that a 304 (Not Modified) is about; null if it is about none: section 4.3.4. */
  @Nullable
  CachedResponse validated(Headers notModified) {
    return identified(candidates, notModified);
  }

  /** The one of these responses that a 304 with these fields is about; null if it is about none. */
  static @Nullable CachedResponse identified(List<CachedResponse> among, Headers notModified) {
    String etag = notModified.first(HeaderName.ETAG);
    if (etag != null) {
      for (CachedResponse each : among) {
        String known = each.etag();
        boolean same = isWeak(etag) ? isWeaklyEqual(etag, known) : etag.equals(known);
        if (same) {
          return each;
        }
      }
      return null;
    }
    // Servers often leave the validators out, although they should not (RFC 9110 §15.4.5).
    String modified = notModified.first(HeaderName.LAST_MODIFIED);
    CachedResponse only = among.size() == 1 ? among.getFirst() : null;
    boolean changed = only != null
        && modified != null
        && only.lastModified() != null
        && !modified.equals(only.lastModified());
    return changed ? null : only;
  }

  /** Whether the conditions of a request are answered 304 by a stored response: section 4.3.2. */
  static boolean isNotModified(Lookup asked, CachedResponse stored) {
    Headers headers = asked.request().headers();
    if (!stored.status().isSuccess()) {
      return false; // RFC 9110 §13.2.1: conditions are for responses of success.
    }
    if (headers.contains(HeaderName.IF_NONE_MATCH)) {
      return FieldLists.elements(headers, HeaderName.IF_NONE_MATCH).stream()
          .anyMatch(each -> each.equals("*") || isWeaklyEqual(each, stored.etag()));
    }
    Instant since = Freshness.date(headers, HeaderName.IF_MODIFIED_SINCE);
    Instant modified = Freshness.date(stored.headers(), HeaderName.LAST_MODIFIED);
    Instant changed =
        modified == null ? Freshness.date(stored.headers(), HeaderName.DATE) : modified;
    return since != null && changed != null && !changed.isAfter(since);
  }

  /** Whether a response to HEAD describes the content that is stored: section 4.3.5. */
  static boolean isOfSameContent(Headers head, CachedResponse stored) {
    return agrees(head, stored, HeaderName.ETAG)
        && agrees(head, stored, HeaderName.LAST_MODIFIED)
        // Decoded content has no length that could be compared.
        && (!stored.headers().contains(HeaderName.CONTENT_LENGTH)
            || agrees(head, stored, HeaderName.CONTENT_LENGTH));
  }

  private static boolean agrees(Headers head, CachedResponse stored, HeaderName name) {
    String value = head.first(name);
    return value == null || Objects.equals(value, stored.headers().first(name));
  }

  private static boolean isWeak(String etag) {
    return etag.startsWith("W/");
  }

  /** RFC 9110 section 8.8.3.2. */
  private static boolean isWeaklyEqual(String etag, @Nullable String other) {
    return other != null && opaque(etag).equals(opaque(other));
  }

  private static String opaque(String etag) {
    return isWeak(etag) ? etag.substring(2) : etag;
  }
}
