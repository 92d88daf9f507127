package heddle.adapters.urlconnection;

import heddle.http.Challenge;
import heddle.http.Credentials;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers to one challenge of the Digest scheme (RFC 7616). Thread-safe. */
final class Digest {
  /** The JDK's names by those of RFC 7616 section 6.1. */
  private static final Map<String, String> ALGORITHMS =
      Map.of("MD5", "MD5", "SHA-256", "SHA-256", "SHA-512-256", "SHA-512/256");

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Challenge challenge;
  private final String user;
  private final String password;

  /** How many requests were answered with the server's nonce. */
  private final AtomicInteger count = new AtomicInteger();

  Digest(Challenge challenge, String user, String password) {
    this.challenge = challenge;
    this.user = user;
    this.password = password;
  }

  /** Whether this implementation, and the JDK's properties, have the algorithm of a challenge. */
  static boolean canAnswer(Challenge challenge) {
    String qop = challenge.parameter("qop");
    return challenge.is("Digest")
        && challenge.realm() != null
        && challenge.parameter("nonce") != null
        && (qop == null || Arrays.asList(qop.split("\\s*,\\s*", -1)).contains("auth"))
        && challenge.parameters().values().stream().allMatch(Digest::isVisible)
        && ALGORITHMS.containsKey(algorithm(challenge))
        && isEnabled(algorithm(challenge));
  }

  private static boolean isVisible(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
  }

  /** Without the {@code -sess} at the end. */
  private static String algorithm(Challenge challenge) {
    String name = Objects.requireNonNullElse(challenge.parameter("algorithm"), "MD5");
    return name.toUpperCase(Locale.ROOT).replaceFirst("-SESS$", "");
  }

  /** The JDK's own properties and default. */
  private static boolean isEnabled(String algorithm) {
    return Passwords.lists(
            System.getProperty("http.auth.digest.reEnabledAlgorithms", ""), algorithm)
        || !Passwords.lists(
            System.getProperty("http.auth.digest.disabledAlgorithms", "MD5, SHA-1"), algorithm);
  }

  /**
   * The credentials for a request.
   *
   * @param uri as the request line has it
   */
  Credentials answer(String method, String uri) {
    byte[] random = new byte[16];
    RANDOM.nextBytes(random);
    return answer(method, uri, HexFormat.of().formatHex(random));
  }

  /**
   * @param own the client's nonce
   */
  Credentials answer(String method, String uri, String own) {
    String nonce = Objects.requireNonNull(challenge.parameter("nonce"), "nonce");
    String realm = Objects.requireNonNull(challenge.realm(), "realm");
    String algorithm = challenge.parameter("algorithm");
    boolean counts = challenge.parameter("qop") != null;
    String number = HexFormat.of().toHexDigits(count.incrementAndGet());
    String secret = hash(octets(user) + ":" + realm + ":" + octets(password));
    if (algorithm != null && algorithm.toLowerCase(Locale.ROOT).endsWith("-sess")) {
      secret = hash(secret + ":" + nonce + ":" + own);
    }
    String middle = counts ? nonce + ":" + number + ":" + own + ":auth" : nonce;
    StringBuilder all = new StringBuilder();
    if ("true".equalsIgnoreCase(challenge.parameter("userhash"))) {
      add(all, "username", hash(octets(user) + ":" + realm));
      all.append(", userhash=true");
    } else if (isVisible(user)) {
      add(all, "username", user);
    } else {
      all.append("username*=UTF-8''")
          .append(URLEncoder.encode(user, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    add(all, "realm", realm);
    add(all, "nonce", nonce);
    add(all, "uri", uri);
    add(all, "response", hash(secret + ":" + middle + ":" + hash(method + ":" + uri)));
    String opaque = challenge.parameter("opaque");
    if (opaque != null) {
      add(all, "opaque", opaque);
    }
    if (algorithm != null) {
      all.append(", algorithm=").append(algorithm);
    }
    if (counts) {
      all.append(", qop=auth, nc=").append(number);
    }
    add(all, "cnonce", own);
    return Credentials.of("Digest", all.toString());
  }

  private static void add(StringBuilder all, String name, String value) {
    String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"");
    all.append(all.isEmpty() ? "" : ", ")
        .append(name)
        .append("=\"")
        .append(escaped)
        .append('"');
  }

  /** A text with one char for each octet, as the parameters of challenges have. */
  private String octets(String text) {
    Charset charset = Passwords.charset(challenge, text);
    return new String(text.getBytes(charset), StandardCharsets.ISO_8859_1);
  }

  private String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance(ALGORITHMS.get(algorithm(challenge)));
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has the algorithms of RFC 7616", e);
    }
  }
}
