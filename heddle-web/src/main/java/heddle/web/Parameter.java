package heddle.web;

import heddle.http.syntax.Octets;
import java.time.DateTimeException;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that a client has put into the path or the query of a request. A value that is not what
 * the handler asks for ends the request with a {@link ProblemException} that names the parameter:
 * 404 (Not Found) for one of the path, because there is no such resource, and 400 (Bad Request) for
 * one of the query, also if it is missing. Immutable.
 *
 * <pre>{@code
 * long id = exchange.path("id").asLong();
 * int page = exchange.query("page").asInt(1);
 * LocalDate day = exchange.query("day").as(LocalDate::parse);
 * }</pre>
 */
public final class Parameter {
  private static final int UUID_LENGTH = 36;

  /** Where a parameter stands. */
  enum Place {
    PATH(404),
    QUERY(400);

    private final int status;

    Place(int status) {
      this.status = status;
    }
  }

  private final Place place;
  private final String name;
  private final @Nullable String value;

  Parameter(Place place, String name, @Nullable String value) {
    this.place = place;
    this.name = name;
    this.value = value;
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** Whether the request has the parameter; one of the path is always there. */
  public boolean isPresent() {
    return value != null;
  }

  /** The value; null if the request does not have the parameter. */
  public @Nullable String orNull() {
    return value;
  }

  /** The value, or another one if the request does not have the parameter. */
  public String orElse(String absent) {
    return value == null ? absent : value;
  }

  /**
   * The value.
   *
   * @throws ProblemException 400 if the request does not have the parameter
   */
  public String asString() {
    if (value == null) {
      throw new ProblemException(
          Problem.of(place.status).detail(describe() + " is missing").with("parameter", name));
    }
    return value;
  }

  /**
   * The value as a number: decimal digits, perhaps with a minus before them.
   *
   * @throws ProblemException if it is no such number or not in the range of an {@code int}
   */
  public int asInt() {
    String text = asString();
    try {
      return Integer.parseInt(checkDigits(text));
    } catch (NumberFormatException e) {
      throw isNot("a whole number from -2147483648 to 2147483647");
    }
  }

  /** As {@link #asInt()}, or {@code absent} if the request does not have the parameter. */
  public int asInt(int absent) {
    return value == null ? absent : asInt();
  }

  /**
   * The value as a number: decimal digits, perhaps with a minus before them.
   *
   * @throws ProblemException if it is no such number or not in the range of a {@code long}
   */
  public long asLong() {
    String text = asString();
    try {
      return Long.parseLong(checkDigits(text));
    } catch (NumberFormatException e) {
      throw isNot("a whole number of 64 bits");
    }
  }

  /** As {@link #asLong()}, or {@code absent} if the request does not have the parameter. */
  public long asLong(long absent) {
    return value == null ? absent : asLong();
  }

  /** The parsers of the JDK take a plus and the digits of other scripts too. */
  private static String checkDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Octets.isDigit(c) && !(c == '-' && i == 0)) {
        throw new NumberFormatException();
      }
    }
    return text;
  }

  /**
   * The value as a UUID in its usual form of 36 characters (RFC 9562 section 4), in any case.
   *
   * @throws ProblemException if it is none
   */
  public UUID asUuid() {
    String text = asString();
    try {
      if (text.length() == UUID_LENGTH) {
        UUID uuid = UUID.fromString(text);
        // The JDK's parser takes groups of other lengths too.
        if (uuid.toString().equals(text.toLowerCase(Locale.ROOT))) {
          return uuid;
        }
      }
    } catch (IllegalArgumentException e) {
      // As below.
    }
    throw isNot("a UUID");
  }

  /**
   * The value as {@code parser} reads it.
   *
   * @param parser throws {@link IllegalArgumentException} or {@link DateTimeException} for what it
   *     does not take; its message is not sent
   * @throws ProblemException if the parser throws one of these
   */
  public <T> T as(Function<String, T> parser) {
    String text = asString();
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw isNot("valid");
    }
  }

  private ProblemException isNot(String what) {
    String detail = describe() + " is not " + what + ": " + Octets.quote(asString());
    return new ProblemException(Problem.of(place.status).detail(detail).with("parameter", name));
  }

  private String describe() {
    return place == Place.PATH ? "the path's parameter " + name : "the query's parameter " + name;
  }

  /** Name and value, for a log. */
  @Override
  public String toString() {
    return name + (value == null ? " (missing)" : "=" + Octets.quote(value));
  }
}
