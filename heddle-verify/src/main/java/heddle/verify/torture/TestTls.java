package heddle.verify.torture;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A certificate for a run, and a client that does not check it. */
final class TestTls {
  private TestTls() {}

  /** A run of a server with the key store. */
  interface Use {
    Result run(Path identity) throws Exception;
  }

  /** Makes a key store with a new key, and deletes it after its use. */
  static Result withIdentity(Use use) throws Exception {
    Path folder = Files.createTempDirectory("heddle-torture");
    Path file = folder.resolve("torture.p12");
    try {
      makeIdentity(file);
      return use.run(file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /** With the JDK's keytool. */
  private static void makeIdentity(Path file) throws IOException, InterruptedException {
    List<String> command = List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost",
        "-storetype",
        "PKCS12",
        "-keystore",
        file.toString(),
        "-storepass",
        TortureServer.PASSWORD,
        "-J-XX:TieredStopAtLevel=1");
    Process keytool = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    if (!keytool.waitFor(20, TimeUnit.SECONDS) || !Files.exists(file)) {
      keytool.destroyForcibly();
      throw new IOException("keytool made no key store");
    }
  }

  static SSLSocketFactory trusting() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    return context.getSocketFactory();
  }

  /** Makes the handshake on a socket that is connected. */
  static SSLSocket connected(Socket socket, int port, String protocol)
      throws IOException, GeneralSecurityException {
    SSLSocket secure = (SSLSocket) trusting().createSocket(socket, "localhost", port, true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
