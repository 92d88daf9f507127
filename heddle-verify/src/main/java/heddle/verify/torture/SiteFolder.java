package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.testkit.mock.TestIdentity;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A folder with what a {@link TortureSite} needs: files to serve, two certificates, a place for
 * uploads and for a socket. The suite makes it, and the process under attack uses it.
 */
record SiteFolder(Path root) {
  static final int DATA_BYTES = 300_000;

  private static final char[] PASSWORD = TortureServer.PASSWORD.toCharArray();
  private static final List<String> STORES = List.of("one.p12", "two.p12");

  /** A run of a server with the folder. */
  interface Use {
    Result run(SiteFolder folder) throws Exception;
  }

  /** Makes a folder, and deletes it after its use. */
  static Result use(Use use) throws Exception {
    SiteFolder folder = new SiteFolder(Files.createTempDirectory("heddle-torture"));
    try {
      folder.fill();
      return use.run(folder);
    } finally {
      folder.delete();
    }
  }

  private void fill() throws Exception {
    Files.createDirectory(files());
    Files.createDirectory(uploads());
    Files.write(files().resolve("data.bin"), data());
    Files.writeString(files().resolve("page.txt"), TortureSite.text());
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(files().resolve("page.txt.gz")))) {
      out.write(TortureSite.text().getBytes(UTF_8));
    }
    for (String name : STORES) {
      KeyStore made =
          TestIdentity.forNames("localhost", "127.0.0.1").keyStore(TortureServer.PASSWORD);
      try (OutputStream out = Files.newOutputStream(root.resolve(name))) {
        made.store(out, PASSWORD);
      }
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The content of the file {@code data.bin}, the same in each process. */
  static byte[] data() {
    byte[] data = new byte[DATA_BYTES];
    new Random(1).nextBytes(data);
    return data;
  }

  Path files() {
    return root.resolve("files");
  }

  Path uploads() {
    return root.resolve("uploads");
  }

  UnixDomainSocketAddress socket() {
    return UnixDomainSocketAddress.of(root.resolve("socket"));
  }

  /** Those that the server uses in turn. */
  List<TlsOptions> identities() throws IOException, GeneralSecurityException {
    List<TlsOptions> identities = new ArrayList<>();
    for (KeyStore store : stores()) {
      identities.add(TlsOptions.builder().identity(store, PASSWORD).build());
    }
    return identities;
  }

  /** Those of a client that trusts both certificates. */
  TlsOptions trust() throws IOException, GeneralSecurityException {
    KeyStore both = KeyStore.getInstance("PKCS12");
    both.load(null, null);
    for (KeyStore store : stores()) {
      String alias = store.aliases().nextElement();
      both.setCertificateEntry("trusted-" + both.size(), store.getCertificate(alias));
    }
    return TlsOptions.builder().trust(both).build();
  }

  private List<KeyStore> stores() throws IOException, GeneralSecurityException {
    List<KeyStore> stores = new ArrayList<>();
    for (String name : STORES) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(root.resolve(name))) {
        store.load(in, PASSWORD);
      }
      stores.add(store);
    }
    return stores;
  }
}
