package heddle.cookies;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Domains under which anyone may register a name, such as {@code com}, {@code co.uk} and {@code
 * github.io}, and for which no cookies may be set. Reads both parts of Mozilla's <a
 * href="https://publicsuffix.org/list/">list</a>. Immutable.
 */
public final class PublicSuffixes {
  private static final String LIST = "effective_tld_names.dat";

  private final Set<String> suffixes = new HashSet<>();

  /**
   * Domains whose direct children are all public suffixes: the rules with a star. They count as
   * public suffixes too.
   */
  private final Set<String> parents = new HashSet<>();

  private final Set<String> exceptions = new HashSet<>();

  private PublicSuffixes() {}

  /** Returns the list of this module. */
  public static PublicSuffixes bundled() {
    return Bundled.LIST_OF_THE_MODULE;
  }

  /** Read on first use. */
  private static final class Bundled {
    static final PublicSuffixes LIST_OF_THE_MODULE = read();

    private static PublicSuffixes read() {
      try (InputStream list = PublicSuffixes.class.getResourceAsStream(LIST)) {
        if (list == null) {
          throw new IllegalStateException(LIST + " is missing from the module heddle.cookies");
        }
        return parse(new InputStreamReader(list, StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + LIST + " of the module heddle.cookies", e);
      }
    }
  }

  /**
   * Reads a list, such as a newer one.
   *
   * @param list in the <a href="https://github.com/publicsuffix/list/wiki/Format">format</a> of
   *     publicsuffix.org
   * @throws IllegalArgumentException if it contains no rule
   */
  public static PublicSuffixes parse(Reader list) throws IOException {
    PublicSuffixes read = new PublicSuffixes();
    BufferedReader lines = new BufferedReader(list);
    for (String line; (line = lines.readLine()) != null; ) {
      // A rule ends at the first white space.
      String rule = line.strip().split("\\s", 2)[0];
      if (!rule.isEmpty() && !rule.startsWith("//")) {
        read.add(rule);
      }
    }
    if (read.suffixes.isEmpty()) {
      throw new IllegalArgumentException("the public suffix list contains no rule: use the file"
          + " that publicsuffix.org serves");
    }
    return read;
  }

  private void add(String rule) {
    if (rule.startsWith("!")) {
      exceptions.add(ascii(rule.substring(1)));
    } else if (rule.startsWith("*.")) {
      parents.add(ascii(rule.substring(2)));
    } else {
      suffixes.add(ascii(rule));
    }
  }

  private static String ascii(String domain) {
    return IDN.toASCII(domain, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
  }

  /**
   * Whether anyone may register a name directly below a domain. A top-level domain that is not in
   * the list counts as a public suffix.
   *
   * @param domain in A-labels and lower case; a trailing dot is ignored
   */
  public boolean isPublicSuffix(String domain) {
    // A host may have a trailing dot, for the root, and is the same domain.
    String name = domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain;
    if (exceptions.contains(name)) {
      return false;
    }
    int dot = name.indexOf('.');
    return dot < 0
        || suffixes.contains(name)
        || parents.contains(name)
        || parents.contains(name.substring(dot + 1));
  }

  /**
   * The site of a host: the domain directly below its longest public suffix, or the host itself if
   * it is a public suffix or an address.
   *
   * @param host canonical
   */
  String site(String host) {
    String site = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    if (Matching.isAddress(site) || isPublicSuffix(site)) {
      return site;
    }
    while (true) {
      String parent = site.substring(site.indexOf('.') + 1);
      if (isPublicSuffix(parent)) {
        return site;
      }
      site = parent;
    }
  }
}
