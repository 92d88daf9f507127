package heddle.load.cluster.remote;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator and its workers share. It is never sent: each side proves that it has it by a
 * message authentication code (HMAC-SHA256) over the random values of both. Immutable.
 */
public final class Secret {

  private static final int SHORTEST = 16;
  private static final int LONGEST = 4_096;
  private static final int NONCE_BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** No secret, which is enough between processes of one machine. */
  public static final Secret NONE = new Secret("none".getBytes(StandardCharsets.US_ASCII), true);

  private final byte[] key;
  private final boolean isNone;

  private Secret(byte[] key, boolean isNone) {
    this.key = key;
    this.isNone = isNone;
  }

  /**
   * Reads the secret from a file, without white space at its end.
   *
   * @param file null for {@link #NONE}
   * @throws IOException if the file cannot be read, or holds fewer than 16 or more than 4,096 bytes
   */
  public static Secret read(@Nullable Path file) throws IOException {
    if (file == null) {
      return NONE;
    }
    if (!Files.isReadable(file)) {
      throw new IOException("the key file " + file + " cannot be read");
    }
    if (Files.size(file) > LONGEST) {
      throw new IOException("the key file " + file + " has more than " + LONGEST + " bytes");
    }
    byte[] key = Files.readString(file, StandardCharsets.ISO_8859_1)
        .stripTrailing()
        .getBytes(StandardCharsets.ISO_8859_1);
    if (key.length < SHORTEST) {
      throw new IOException("the key file " + file + " must have at least " + SHORTEST
          + " bytes, but has " + key.length + ": write one with openssl rand -hex 32");
    }
    return new Secret(key, false);
  }

  /**
   * Checks that nothing but this machine is reached without a secret.
   *
   * @throws IllegalArgumentException if there is no secret and the address is not of the loopback
   */
  public void requireFor(InetAddress address) {
    if (isNone && !address.isLoopbackAddress()) {
      throw new IllegalArgumentException("without a key only loopback addresses are allowed, not "
          + address.getHostAddress() + ": give the file of a secret that both sides have");
    }
  }

  /** A random value, in hexadecimal digits. */
  static String nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return HexFormat.of().formatHex(nonce);
  }

  /**
   * Proves that this side has the secret.
   *
   * @param role of the side that proves it, so that neither can return what the other has sent
   */
  String proof(String role, String workerNonce, String coordinatorNonce) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      String signed = role + "\n" + workerNonce + "\n" + coordinatorNonce;
      return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + ALGORITHM, e);
    }
  }

  /** Whether a proof is right; takes the same time for each wrong one. */
  boolean isProof(String proof, String role, String workerNonce, String coordinatorNonce) {
    return MessageDigest.isEqual(
        proof.getBytes(StandardCharsets.UTF_8),
        proof(role, workerNonce, coordinatorNonce).getBytes(StandardCharsets.UTF_8));
  }
}
