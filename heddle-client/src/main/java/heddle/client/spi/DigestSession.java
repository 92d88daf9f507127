package heddle.client.spi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.http.Challenge;
import heddle.http.Credentials;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers to one challenge of the Digest scheme (RFC 7616). Thread-safe. */
final class DigestSession {
  /** The JDK's names by those of RFC 7616 section 6.1. */
  private static final Map<String, String> ALGORITHMS =
      Map.of("MD5", "MD5", "SHA-256", "SHA-256", "SHA-512-256", "SHA-512/256");

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Challenge challenge;
  private final Account account;

  /** The JDK's name of the algorithm. */
  private final String algorithm;

  /** The client's nonce, the same for all answers: the -sess algorithms make a key of it. */
  private final String own;

  /** How many requests were answered with the server's nonce. */
  private final AtomicInteger count = new AtomicInteger();

  /** Answers to a challenge that {@linkplain #canAnswer can be answered}. */
  DigestSession(Challenge challenge, Account account) {
    this(challenge, account, random());
  }

  DigestSession(Challenge challenge, Account account, String own) {
    this.challenge = challenge;
    this.account = account;
    this.own = own;
    algorithm = Objects.requireNonNull(ALGORITHMS.get(algorithm(challenge)), "known algorithm");
  }

  private static String random() {
    byte[] random = new byte[16];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** See {@link DigestAuthenticator#canAnswer}. */
  static boolean canAnswer(Challenge challenge) {
    String qop = challenge.parameter("qop");
    return challenge.is("Digest")
        && challenge.realm() != null
        && challenge.parameter("nonce") != null
        && (qop == null || Arrays.asList(qop.split("\\s*,\\s*", -1)).contains("auth"))
        && challenge.parameters().values().stream().allMatch(DigestSession::isVisible)
        && ALGORITHMS.containsKey(algorithm(challenge));
  }

  /** Whether this has answered the same challenge before. */
  boolean isOf(Challenge other) {
    return lasting(challenge).equals(lasting(other));
  }

  private static Map<String, String> lasting(Challenge challenge) {
    Map<String, String> parameters = new HashMap<>(challenge.parameters());
    parameters.remove("stale");
    return parameters;
  }

  private static boolean isVisible(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
  }

  /** See {@link DigestAuthenticator#algorithm}. */
  static String algorithm(Challenge challenge) {
    String name = Objects.requireNonNullElse(challenge.parameter("algorithm"), "MD5");
    return name.toUpperCase(Locale.ROOT).replaceFirst("-SESS$", "");
  }

  /**
   * The credentials for a request.
   *
   * @param uri as the request line has it
   */
  Credentials answer(String method, String uri) {
    String nonce = Objects.requireNonNull(challenge.parameter("nonce"), "nonce");
    String realm = Objects.requireNonNull(challenge.realm(), "realm");
    String named = challenge.parameter("algorithm");
    boolean counts = challenge.parameter("qop") != null;
    String number = HexFormat.of().toHexDigits(count.incrementAndGet());
    String user = account.user();
    String secret = hash(octets(user) + ":" + realm + ":" + octets(account.password()));
    boolean session = named != null && named.toLowerCase(Locale.ROOT).endsWith("-sess");
    if (session) {
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
          .append(URLEncoder.encode(user, UTF_8).replace("+", "%20").replace("*", "%2A"));
    }
    add(all, "realm", realm);
    add(all, "nonce", nonce);
    add(all, "uri", uri);
    add(all, "response", hash(secret + ":" + middle + ":" + hash(method + ":" + uri)));
    String opaque = challenge.parameter("opaque");
    if (opaque != null) {
      add(all, "opaque", opaque);
    }
    if (named != null) {
      all.append(", algorithm=").append(named);
    }
    if (counts) {
      all.append(", qop=auth, nc=").append(number);
    }
    if (counts || session) {
      add(all, "cnonce", own);
    }
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
    return new String(text.getBytes(Account.charset(challenge, text)), ISO_8859_1);
  }

  private String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      return HexFormat.of().formatHex(digest.digest(text.getBytes(ISO_8859_1)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has the algorithms of RFC 7616", e);
    }
  }
}
