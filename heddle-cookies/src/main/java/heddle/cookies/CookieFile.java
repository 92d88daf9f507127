package heddle.cookies;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Cookies in a file of the format that Netscape invented and curl, wget and browsers' extensions
 * use: a line for each cookie, with seven fields between tabs. Session cookies are kept; SameSite,
 * which the format does not have, is lost. The file holds credentials: let no one else read it.
 *
 * <pre>{@code
 * Rfc6265CookieStore store = Rfc6265CookieStore.create();
 * store.restore(CookieFile.read(file));
 * }</pre>
 */
public final class CookieFile {
  private static final String HEADING = "# Netscape HTTP Cookie File\n\n";
  private static final String HTTP_ONLY = "#HttpOnly_";

  /** The end of the year 9999: later times cannot be written as a date. */
  private static final long MAX_SECONDS = 253_402_300_799L;

  private CookieFile() {}

  /**
   * The cookies of a file, those that have expired too.
   *
   * @throws IOException if it cannot be read, or a line is no cookie; the message shows no values
   */
  public static List<Cookie> read(Path file) throws IOException {
    List<Cookie> cookies = new ArrayList<>();
    Instant now = Instant.now();
    int number = 0;
    for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
      number++;
      boolean httpOnly = line.startsWith(HTTP_ONLY);
      String rest = httpOnly ? line.substring(HTTP_ONLY.length()) : line;
      if (!rest.isBlank() && !rest.startsWith("#")) {
        try {
          cookies.add(cookie(rest.split("\t", 7), httpOnly, now));
        } catch (IllegalArgumentException e) {
          throw new IOException(
              "%s is no file of cookies: line %d has not the seven fields domain, subdomains, path,"
                      .formatted(file, number)
                  + " secure, expiry, name and value between tabs",
              e);
        }
      }
    }
    return cookies;
  }

  private static Cookie cookie(String[] fields, boolean httpOnly, Instant now) {
    if (fields.length < 7) {
      throw new IllegalArgumentException("too few fields");
    }
    String domain = fields[0].toLowerCase(Locale.ROOT);
    long expires = Long.parseLong(fields[4]);
    return new Cookie(
        fields[5],
        fields[6],
        domain.startsWith(".") ? domain.substring(1) : domain,
        !isTrue(fields[1]),
        fields[2],
        isTrue(fields[3]),
        httpOnly,
        Cookie.SameSite.DEFAULT,
        expires == 0 ? null : Instant.ofEpochSecond(Math.clamp(expires, 0, MAX_SECONDS)),
        now,
        now);
  }

  private static boolean isTrue(String field) {
    return field.equalsIgnoreCase("TRUE");
  }

  /**
   * Writes cookies, such as a {@linkplain Rfc6265CookieStore#snapshot snapshot}. Those whose name
   * or path holds a tab, which the format cannot express, are left out; so are domains that begin
   * with a dot or a {@code #}, which no host has.
   */
  public static void write(OutputStream out, Collection<Cookie> cookies) throws IOException {
    StringBuilder text = new StringBuilder(HEADING);
    for (Cookie cookie : cookies) {
      if (isExpressible(cookie)) {
        Instant expires = cookie.expires();
        text.append(cookie.httpOnly() ? HTTP_ONLY : "")
            .append(cookie.hostOnly() ? "" : ".")
            .append(String.join(
                "\t",
                cookie.domain(),
                word(!cookie.hostOnly()),
                cookie.path(),
                word(cookie.secure()),
                Long.toString(expires == null ? 0 : Math.max(1, expires.getEpochSecond())),
                cookie.name(),
                cookie.value()))
            .append('\n');
      }
    }
    out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A tab ends each field but the value; a dot before a domain means subdomains, # a comment. */
  static boolean isExpressible(Cookie cookie) {
    String domain = cookie.domain();
    return (domain + cookie.path() + cookie.name()).indexOf('\t') < 0
        && !domain.startsWith(".")
        && !domain.startsWith("#");
  }

  private static String word(boolean value) {
    return value ? "TRUE" : "FALSE";
  }
}
