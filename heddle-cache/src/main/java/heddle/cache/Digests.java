package heddle.cache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Texts as names of fixed length that tell nothing of the text. */
final class Digests {
  /** How many bytes of the digest are used: no two texts that anyone finds have the same 16. */
  private static final int BYTES = 16;

  private Digests() {}

  /** 32 hexadecimal digits of the text's SHA-256. */
  static String hex(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
