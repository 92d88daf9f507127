package heddle.transport.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;

/** Whether a private and a public key are a pair, before a handshake finds out that they are not. */
final class KeyPairs {
  private static final byte[] SAMPLE = {1, 2, 3};

  private KeyPairs() {}

  static boolean belong(PublicKey publicKey, PrivateKey privateKey) {
    if (publicKey instanceof RSAPublicKey one && privateKey instanceof RSAPrivateKey other) {
      BigInteger modulus = one.getModulus();
      return modulus.equals(other.getModulus());
    }
    String algorithm =
        switch (privateKey.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          default -> "";
        };
    // Others are rare: the handshake will tell.
    return algorithm.isEmpty() || signs(algorithm, publicKey, privateKey);
  }

  private static boolean signs(String algorithm, PublicKey publicKey, PrivateKey privateKey) {
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(privateKey);
      signature.update(SAMPLE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
