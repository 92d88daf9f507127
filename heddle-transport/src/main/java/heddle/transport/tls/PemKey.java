package heddle.transport.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/**
 * The private key of a PEM file: PKCS#8 (RFC 5208), or what older tools write, which becomes PKCS#8
 * here: PKCS#1 for RSA (RFC 8017 §A.1.2) and RFC 5915 for elliptic curves.
 */
final class PemKey {
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int PARAMETERS = 0xA0;

  private static final byte[] VERSION_0 = {2, 1, 0};

  /** rsaEncryption (1.2.840.113549.1.1.1) with NULL parameters, RFC 8017 §A.1. */
  private static final byte[] RSA_ALGORITHM = {
    SEQUENCE, 13, 6, 9, 42, (byte) 134, 72, (byte) 134, (byte) 247, 13, 1, 1, 1, 5, 0
  };

  /** id-ecPublicKey (1.2.840.10045.2.1), RFC 5480 §2.1.1. */
  private static final byte[] EC_ALGORITHM = {6, 7, 42, (byte) 134, 72, (byte) 206, 61, 2, 1};

  private PemKey() {}

  /** The first private key. Throws when there is none, or it is encrypted, broken or unknown. */
  static PrivateKey read(Path path) throws IOException {
    PemFile file = PemFile.read(path);
    for (PemFile.Block block : file.blocks()) {
      if (block.label().endsWith("PRIVATE KEY")) {
        return decode(path, block);
      }
    }
    throw new IOException(path + ": has no PRIVATE KEY, only " + file.labels());
  }

  /** Whether two keys belong together, before a handshake finds out that they do not. */
  static boolean isPair(PublicKey publicKey, PrivateKey privateKey) {
    if (publicKey instanceof RSAPublicKey one && privateKey instanceof RSAPrivateKey other) {
      return one.getModulus().equals(other.getModulus());
    }
    return switch (privateKey.getAlgorithm()) {
      case "EC" -> signs("SHA256withECDSA", publicKey, privateKey);
      case "EdDSA" -> signs("EdDSA", publicKey, privateKey);
      // Others are rare: the handshake will tell.
      default -> true;
    };
  }

  private static boolean signs(String algorithm, PublicKey publicKey, PrivateKey privateKey) {
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(privateKey);
      signature.update(VERSION_0);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(VERSION_0);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static PrivateKey decode(Path path, PemFile.Block block) throws IOException {
    if (block.encrypted() || block.label().startsWith("ENCRYPTED")) {
      throw new IOException(
          path + ": the key is encrypted: give one that is not, or a KeyStore with its password");
    }
    try {
      return switch (block.label()) {
        case "PRIVATE KEY" -> generate(block.der());
        case "RSA PRIVATE KEY" -> generate(pkcs8(RSA_ALGORITHM, block.der()));
        case "EC PRIVATE KEY" -> generate(pkcs8(curve(block.der()), block.der()));
        default ->
          throw new IOException(path + ": a " + block.label() + " is of no use here: PKCS#8, RSA"
              + " and EC keys are");
      };
    } catch (InvalidKeySpecException | IndexOutOfBoundsException e) {
      String where = path + ": the " + block.label() + " at line " + block.line();
      throw new IOException(where + " is broken: " + e.getMessage(), e);
    }
  }

  /** PKCS#8 names the algorithm inside: whichever of the JDK's factories knows it reads it. */
  private static PrivateKey generate(byte[] pkcs8) throws InvalidKeySpecException {
    InvalidKeySpecException failure = new InvalidKeySpecException("of no known algorithm");
    for (String algorithm : new String[] {"RSA", "EC", "EdDSA", "RSASSA-PSS", "DSA"}) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        failure.addSuppressed(e);
      } catch (NoSuchAlgorithmException e) {
        throw new InvalidKeySpecException("the JDK lacks " + algorithm, e);
      }
    }
    throw failure;
  }

  /** RFC 5208 §5: version, algorithm, and the key in its own form. */
  private static byte[] pkcs8(byte[] algorithm, byte[] key) {
    return tagged(SEQUENCE, VERSION_0, algorithm, tagged(OCTETS, key));
  }

  /** RFC 5915 §3: version, key, and the curve under tag 0, which PKCS#8 has in the algorithm. */
  private static byte[] curve(byte[] key) throws InvalidKeySpecException {
    int at = contentAt(key, 0);
    for (int i = 0; i < 2; i++) {
      at = contentAt(key, at) + length(key, at);
    }
    if (at >= key.length || (key[at] & 0xFF) != PARAMETERS) {
      throw new InvalidKeySpecException("it does not name its curve");
    }
    int from = contentAt(key, at);
    byte[] curve = Arrays.copyOfRange(key, from, from + length(key, at));
    return tagged(SEQUENCE, EC_ALGORITHM, curve);
  }

  private static int contentAt(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7F); i++) {
      length = length << 8 | der[at + 2 + i] & 0xFF;
    }
    if (length < 0 || length > der.length) {
      throw new IndexOutOfBoundsException("a length of " + length + " bytes");
    }
    return length;
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    // Two bytes of length hold any key that there is.
    ByteBuffer all = ByteBuffer.allocate(4 + length);
    all.put((byte) tag).put((byte) 0x82).putShort((short) length);
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }
}
