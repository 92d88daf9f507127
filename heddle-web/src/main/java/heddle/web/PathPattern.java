package heddle.web;

import heddle.http.syntax.Octets;
import heddle.http.syntax.PercentDecoder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The path of a route in segments.
 *
 * @param text as it was given, with the prefixes of its groups
 * @param segments in their order; only the last one may be a rest
 */
record PathPattern(String text, List<Segment> segments) {
  /** What a segment of a path has to be. */
  sealed interface Segment {
    /** The name of the parameter; null if this is none. */
    @Nullable
    String name();
  }

  /** This text, decoded. */
  record Literal(String text) implements Segment {
    @Override
    public @Nullable String name() {
      return null;
    }
  }

  /** Any text but the empty one. */
  record Variable(String name) implements Segment {}

  /** This segment and all that follow it, at least one. */
  record Rest(String name) implements Segment {}

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it is malformed; says how
   */
  static PathPattern parse(String text) {
    if (!text.startsWith("/")) {
      throw wrong(text, "must begin with a slash");
    }
    List<Segment> segments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String each : text.substring(1).split("/", -1)) {
      if (!segments.isEmpty() && segments.getLast() instanceof Rest rest) {
        throw wrong(text, "continues after {" + rest.name + "...}, which matches all that follows");
      }
      Segment segment = segment(text, each);
      segments.add(segment);
      String name = segment.name();
      if (name != null && !names.add(name)) {
        throw wrong(text, "has two parameters called " + name);
      }
    }
    return new PathPattern(text, List.copyOf(segments));
  }

  private static Segment segment(String pattern, String text) {
    if (text.startsWith("{") && text.endsWith("}")) {
      String inner = text.substring(1, text.length() - 1);
      boolean isRest = inner.endsWith("...");
      String name = isRest ? inner.substring(0, inner.length() - 3) : inner;
      if (name.isEmpty() || !name.chars().allMatch(PathPattern::isNameChar)) {
        throw wrong(
            pattern,
            "has the parameter " + text + ": its name must be of letters, digits, - and _");
      }
      return isRest ? new Rest(name) : new Variable(name);
    }
    if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
      throw wrong(pattern, "has a brace within a segment: a parameter is a whole segment");
    }
    int wrong = text.indexOf('?') >= 0 ? text.indexOf('?') : text.indexOf('#');
    if (wrong >= 0) {
      throw wrong(
          pattern, "has " + Octets.describe(text.charAt(wrong)) + ": a route has a path alone");
    }
    String decoded =
        text.indexOf('%') < 0 ? text : PercentDecoder.decode(text, 0, text.length(), false);
    if (decoded == null) {
      throw wrong(pattern, "has a malformed escape");
    }
    if (decoded.equals(".") || decoded.equals("..")) {
      throw wrong(pattern, "has a segment . or .., which no request may have");
    }
    return new Literal(decoded);
  }

  private static boolean isNameChar(int c) {
    return Octets.isAlpha(c) || Octets.isDigit(c) || c == '-' || c == '_';
  }

  private static IllegalArgumentException wrong(String pattern, String what) {
    return new IllegalArgumentException("the path " + Octets.quote(pattern) + " " + what);
  }

  /** The index of the segment that the parameter stands for, or -1. */
  int indexOf(String name) {
    for (int i = 0; i < segments.size(); i++) {
      if (name.equals(segments.get(i).name())) {
        return i;
      }
    }
    return -1;
  }

  /** Whether the segment at an index is a rest. */
  boolean isRest(int index) {
    return segments.get(index) instanceof Rest;
  }

  /** The names of the parameters, in their order. */
  List<String> names() {
    return segments.stream().map(Segment::name).filter(Objects::nonNull).toList();
  }
}
