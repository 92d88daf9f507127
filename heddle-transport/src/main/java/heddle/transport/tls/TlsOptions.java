package heddle.transport.tls;

import heddle.transport.CipherSuites;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Which certificates to trust, which one to show, and which versions of TLS to speak; for a client
 * or a server. Immutable, safe to share: clients that share one share its session cache too, so
 * that handshakes with the same server are resumed (RFC 8446 §2.2).
 *
 * <pre>{@code
 * TlsOptions options = TlsOptions.builder()
 *     .trust(Path.of("ca.pem"))
 *     .identity(Path.of("me.pem"), Path.of("me-key.pem"))
 *     .build();
 * }</pre>
 *
 * <p>A client always checks that the certificate is for the host that it meant (RFC 9110 section
 * 4.3.4) by the rules of RFC 9525: a subjectAltName counts and a common name does not, and a
 * wildcard is the whole first label. {@link Builder#hostNamesByTrustManagers} leaves that to the
 * trust managers, {@link Builder#serverChecks} to a user's code; only {@link
 * Builder#insecureTrustEverything} switches it off. RSA keys of a server's certificate and of those
 * between it and the trusted authority must have 2048 bits, unless {@link
 * Builder#allowShortRsaKeys} allows less.
 */
public final class TlsOptions {
  private static final String HTTP_2 = "h2";

  /** Whether a server asks its clients for a certificate. */
  public enum ClientAuthentication {
    /** Does not ask. */
    NONE,
    /** Asks, and also serves clients without one; refuses one that is not trusted. */
    WANTED,
    /** Refuses clients without one. */
    NEEDED
  }

  /** Decides about one handshake whether the server is the intended one. */
  @FunctionalInterface
  public interface ServerCheck {
    /**
     * Configures the engine before the handshake. By default nothing happens.
     *
     * @param engine has the parameters of the client, without a rule for host names
     */
    default void configure(SSLEngine engine) {}

    /**
     * Verifies the server, whose certificate is trusted, at the end of the handshake and before
     * anything else is sent. May block.
     *
     * @param engine its session has the certificates
     * @throws SSLException if it is not the intended server
     */
    void verify(SSLEngine engine) throws SSLException;
  }

  /** TLS 1.0 and 1.1 are deprecated, RFC 8996. */
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  private final SSLContext context;
  private final List<String> protocols;
  private final List<String> cipherSuites;
  private final String @Nullable [] namedGroups;
  private final ClientAuthentication clientAuthentication;
  private final boolean verifying;
  private final boolean identified;
  private final boolean given;
  private final List<SNIServerName> namesOfAddresses;
  private final @Nullable BiFunction<String, Integer, ServerCheck> serverChecks;
  private final @Nullable String renamedHost;
  private final @Nullable String serverName;
  private final @Nullable BiConsumer<SSLEngine, SocketAddress> clientRules;
  private final boolean strictHosts;
  private final boolean longRsaKeys;

  private TlsOptions(Builder builder, SSLContext context) {
    this.context = context;
    this.protocols = builder.protocols;
    this.cipherSuites = builder.cipherSuites;
    this.namedGroups = builder.namedGroups;
    this.clientAuthentication = builder.clientAuthentication;
    this.namesOfAddresses = builder.namesOfAddresses;
    this.serverChecks = builder.serverChecks;
    this.renamedHost = builder.renamedHost;
    this.serverName = builder.serverName;
    this.clientRules = builder.clientRules;
    this.strictHosts = !builder.hostNamesByTrust && builder.serverChecks == null;
    this.longRsaKeys = !builder.shortRsaKeys;
    this.verifying = !builder.trustingEverything;
    this.given = builder.context != null || builder.trustManagers.length > 0;
    this.identified = builder.isIdentified() || builder.context != null;
  }

  /** For a client: trusts whom the JDK trusts, has no certificate, speaks TLS 1.3 and 1.2. */
  public static TlsOptions defaults() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The versions of TLS that may be spoken, the preferred one first. */
  public List<String> protocols() {
    return protocols;
  }

  /** Whether there is a certificate of our own to show, which a server cannot do without. */
  public boolean hasIdentity() {
    return identified;
  }

  @Override
  public String toString() {
    return "TlsOptions[" + String.join(", ", protocols) + (verifying ? "]" : ", insecure]");
  }

  /** What decides about the server of a connection instead of RFC 9525; null if nothing does. */
  @Nullable
  ServerCheck serverCheck(String host, int port) {
    return serverChecks == null || !verifying ? null : serverChecks.apply(host, port);
  }

  /** Configures the engine of a connection that a server has accepted; null if nothing does. */
  @Nullable
  BiConsumer<SSLEngine, SocketAddress> clientRules() {
    return clientRules;
  }

  /** The name that the server of a host gets and must have. */
  String serverName(String host) {
    return serverName != null && host.equalsIgnoreCase(renamedHost) ? serverName : host;
  }

  /**
   * An engine for a connection to a host, or for any with a cache for its sessions.
   *
   * @param host the {@linkplain #serverName(String) name} of the server: JSSE caches sessions by
   *     it, and one whose server has only that name must not be resumed for another host
   */
  SSLEngine clientEngine(
      String host, int port, List<String> applicationProtocols, @Nullable ServerCheck check) {
    SSLEngine engine = context.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = parameters(engine, applicationProtocols);
    if (verifying && check == null) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    SNIHostName name = ServerIdentity.nameOf(host);
    List<SNIServerName> others = ServerIdentity.isAddress(host) ? namesOfAddresses : List.of();
    // A server that gets no name shows its default certificate, which is checked as always.
    parameters.setServerNames(name != null ? List.of(name) : others);
    engine.setSSLParameters(parameters);
    if (check != null) {
      check.configure(engine);
    }
    return engine;
  }

  /** What a client requires of the certificate for a host besides trust; null if nothing. */
  @Nullable
  CertificateRules certificateRules(String host) {
    return verifying && (strictHosts || longRsaKeys)
        ? new CertificateRules(host, namesOfAddresses, strictHosts, longRsaKeys)
        : null;
  }

  /**
   * Whether a client asks of a certificate only that it is trusted and for the host: a context or
   * trust manager that was given may ask more of one host than of another.
   */
  boolean asksForTheHostAlone() {
    return verifying
        && !given
        && namesOfAddresses.isEmpty()
        && serverChecks == null
        && serverName == null;
  }

  SSLEngine serverEngine(List<String> applicationProtocols) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = parameters(engine, applicationProtocols);
    parameters.setUseCipherSuitesOrder(true);
    switch (clientAuthentication) {
      case NONE -> parameters.setNeedClientAuth(false);
      case WANTED -> parameters.setWantClientAuth(true);
      case NEEDED -> parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  private SSLParameters parameters(SSLEngine engine, List<String> applicationProtocols) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(protocols.toArray(String[]::new));
    if (!cipherSuites.isEmpty()) {
      parameters.setCipherSuites(cipherSuites.toArray(String[]::new));
    }
    if (namedGroups != null) {
      parameters.setNamedGroups(namedGroups);
    }
    List<String> offered = offered(applicationProtocols, parameters);
    parameters.setApplicationProtocols(offered.toArray(String[]::new));
    return parameters;
  }

  /**
   * Leaves HTTP/2 out if the handshake could only end in a cipher suite that RFC 9113 §9.2.2
   * prohibits for it, unless it is the only protocol wanted: then the caller learns why it fails.
   */
  private List<String> offered(List<String> wanted, SSLParameters parameters) {
    boolean mayChoose = wanted.size() > 1 && wanted.contains(HTTP_2);
    List<String> suites = List.of(parameters.getCipherSuites());
    if (!mayChoose || CipherSuites.mayAllowHttp2(protocols, suites)) {
      return wanted;
    }
    return wanted.stream().filter(each -> !each.equals(HTTP_2)).toList();
  }

  /** Collects options; reads files at once. Not safe for use by several threads. */
  public static final class Builder {
    private @Nullable List<X509Certificate> authorities;
    private @Nullable KeyStore authorityStore;
    private @Nullable SSLContext context;
    private final List<Identity> identities = new ArrayList<>();
    private KeyManager[] keyManagers = {};
    private TrustManager[] trustManagers = {};
    private List<String> protocols = PROTOCOLS;
    private List<String> cipherSuites = List.of();
    private String @Nullable [] namedGroups;
    private List<SNIServerName> namesOfAddresses = List.of();
    private @Nullable BiFunction<String, Integer, ServerCheck> serverChecks;
    private @Nullable String renamedHost;
    private @Nullable String serverName;
    private @Nullable BiConsumer<SSLEngine, SocketAddress> clientRules;
    private ClientAuthentication clientAuthentication = ClientAuthentication.NONE;
    private boolean trustingEverything;
    private boolean hostNamesByTrust;
    private boolean shortRsaKeys;

    private Builder() {}

    /**
     * Trusts the authorities whose certificates are in these PEM files, instead of those that the
     * JDK trusts. May be called again for more.
     *
     * @throws IOException when a file, which the message names, holds no good certificate
     */
    public Builder trust(Path... pem) throws IOException {
      List<X509Certificate> all =
          authorities == null ? new ArrayList<>() : new ArrayList<>(authorities);
      for (Path file : pem) {
        all.addAll(PemFile.read(file).certificates());
      }
      authorities = all;
      return this;
    }

    /** Trusts these authorities, instead of those that the JDK trusts. */
    public Builder trust(List<X509Certificate> certificates) {
      authorities = List.copyOf(certificates);
      return this;
    }

    /** Trusts the certificates in this store, instead of those that the JDK trusts. */
    public Builder trust(KeyStore store) {
      authorityStore = store;
      return this;
    }

    /**
     * Shows this certificate to the peer: a server needs one, a client if the server asks for it.
     * May be called again, as may the other methods of this name, for more certificates. A server
     * then chooses by the name that the client asks for (RFC 6066 section 3): a certificate with
     * this name, then one with a wildcard for it, by the rules of RFC 9525; if there is none, or
     * the client asks for no name, it shows the first certificate that was given. For one name
     * there may be several with different types of keys, such as EC and RSA; the client's
     * preference decides. A certificate whose signatures the client does not understand is not
     * shown as long as there is another. A client shows the first that the server accepts.
     *
     * @param certificateChainPem our own certificate first, then those that lead to an authority
     * @param privateKeyPem the key of the first, as PKCS#8, RSA (PKCS#1) or EC; not encrypted
     * @throws IOException when a file cannot be read or does not hold that; the message names it
     */
    public Builder identity(Path certificateChainPem, Path privateKeyPem) throws IOException {
      List<X509Certificate> certificates = PemFile.read(certificateChainPem).certificates();
      PrivateKey read = PemKey.read(privateKeyPem);
      String keyAlgorithm = read.getAlgorithm();
      String algorithm = certificates.getFirst().getPublicKey().getAlgorithm();
      if (!keyAlgorithm.equals(algorithm)) {
        throw new IOException("%s holds a key for %s, but the certificate in %s is for %s"
            .formatted(privateKeyPem, keyAlgorithm, certificateChainPem, algorithm));
      }
      if (!PemKey.isPair(certificates.getFirst().getPublicKey(), read)) {
        throw new IOException("the key in %s is not that of the first certificate in %s"
            .formatted(privateKeyPem, certificateChainPem));
      }
      return identity(certificates, read);
    }

    /**
     * Shows this certificate, which is the first of the chain, to the peer. May be called again,
     * see {@link #identity(Path, Path)}.
     */
    public Builder identity(List<X509Certificate> certificateChain, PrivateKey privateKey) {
      if (certificateChain.isEmpty()) {
        throw new IllegalArgumentException("the certificate chain is empty");
      }
      identities.add(new Identity(certificateChain, privateKey));
      return this;
    }

    /**
     * Shows the certificates of this store, whose keys are protected with the password, in the
     * order of the store. May be called again, see {@link #identity(Path, Path)}.
     *
     * @throws IllegalArgumentException if the store is not loaded, or the password is not that of
     *     its keys
     */
    public Builder identity(KeyStore store, char[] keyPassword) {
      try {
        identities.addAll(Identity.in(store, keyPassword));
      } catch (GeneralSecurityException e) {
        throw new IllegalArgumentException("cannot use these keys: " + e.getMessage(), e);
      }
      return this;
    }

    /**
     * These choose the certificate to show, as the JDK's own do from a store. Cannot be combined
     * with the other methods that say which certificate to show.
     */
    public Builder keyManagers(KeyManager... managers) {
      keyManagers = managers.clone();
      return this;
    }

    /**
     * These decide which certificates to trust. A client checks the host of a certificate by RFC
     * 9525 as well, unless {@link #hostNamesByTrustManagers} leaves that to them. Cannot be
     * combined with the other methods that say what to trust.
     */
    public Builder trustManagers(TrustManager... managers) {
      trustManagers = managers.clone();
      return this;
    }

    /**
     * For a client: leaves it to the trust managers or the context to say whether a certificate is
     * for the host, without RFC 9525. Those of the JDK accept a host that is only the common name,
     * and wildcards such as {@code f*.example.com}; others may accept any certificate for any host.
     * Only this method and {@link #insecureTrustEverything} switch that rule off.
     */
    public Builder hostNamesByTrustManagers() {
      hostNamesByTrust = true;
      return this;
    }

    /**
     * For a client: leaves it to a user's code to say whether a trusted server is the intended one,
     * without RFC 9525, in each handshake, also those that resume a session.
     *
     * @param checks returns the check for the server of a host and port; called for each connection
     */
    public Builder serverChecks(BiFunction<String, Integer, ServerCheck> checks) {
      serverChecks = checks;
      return this;
    }

    /**
     * For a client: sends another server name than the host's in handshakes with one host (RFC 6066
     * section 3). The certificate must be for this name, unless {@link #serverChecks} decide.
     *
     * @param host an IPv6 address has no brackets
     */
    public Builder serverName(String host, String name) {
      renamedHost = host;
      serverName = name;
      return this;
    }

    /**
     * For a client: accepts RSA keys of fewer than 2048 bits, of a server or an intermediate
     * authority, as old servers in private networks have. Attackers with enough means can break
     * them. What the JDK's {@code jdk.certpath.disabledAlgorithms} refuses (fewer than 1024 bits by
     * default) stays refused.
     */
    public Builder allowShortRsaKeys() {
      shortRsaKeys = true;
      return this;
    }

    /**
     * Takes all of trust and identity from a context, of the JDK or another provider. Cannot be
     * combined with the other methods that say what to trust and which certificate to show.
     */
    public Builder context(SSLContext newContext) {
      context = newContext;
      return this;
    }

    /**
     * The versions of TLS that may be spoken; {@code TLSv1.3} and {@code TLSv1.2} by default.
     *
     * @param names as the JDK calls them, the preferred one first
     */
    public Builder protocols(String... names) {
      protocols = List.of(names);
      return this;
    }

    /** The cipher suites that may be used; those of the JDK's defaults by default. */
    public Builder cipherSuites(String... names) {
      cipherSuites = List.of(names);
      return this;
    }

    /**
     * The groups for the key exchange that may be used (RFC 8446 section 4.2.7), the preferred one
     * first; those of the JDK's defaults by default. Names that the JDK does not know are ignored.
     *
     * @throws IllegalArgumentException if a name is blank or occurs twice
     */
    public Builder namedGroups(String... names) {
      SSLParameters checked = new SSLParameters();
      checked.setNamedGroups(names);
      namedGroups = checked.getNamedGroups();
      return this;
    }

    /**
     * For a client: which names to send to a server that is called by its address instead of a name
     * (RFC 6066 section 3); none by default. The certificate may be for one of them instead.
     */
    public Builder namesOfAddresses(List<SNIServerName> names) {
      namesOfAddresses = List.copyOf(names);
      return this;
    }

    /** For a server: whether it asks clients for a certificate; it does not by default. */
    public Builder clientAuthentication(ClientAuthentication whether) {
      clientAuthentication = whether;
      return this;
    }

    /**
     * For a server: configures the engine of each connection before its handshake, by the address
     * of the client. The engine has the parameters of these options already; one that may no longer
     * agree on {@code h2} by ALPN still speaks HTTP/1.1.
     *
     * @param rules called on the thread of the handshake; may block for as long as the client may
     *     take for its handshake, and refuses the client by an exception
     */
    public Builder clientRules(BiConsumer<SSLEngine, SocketAddress> rules) {
      clientRules = rules;
      return this;
    }

    /**
     * For a client: accepts any certificate of any server for any host, so that an attacker on the
     * path can read and change everything. For trials only.
     */
    public Builder insecureTrustEverything() {
      trustingEverything = true;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalStateException if two methods contradict each other
     * @throws IllegalArgumentException if a version or cipher suite is not known, or a key does not
     *     fit; the message says which are
     */
    public TlsOptions build() {
      boolean trustsStored = authorities != null || authorityStore != null;
      boolean trusts = trustsStored || trustManagers.length > 0;
      if (context != null && (trusts || isIdentified() || trustingEverything)) {
        throw new IllegalStateException(
            "a context holds trust and identity already: give either it or them");
      }
      if (trusts && trustingEverything) {
        throw new IllegalStateException("either trust some or trust everything");
      }
      if (trustsStored && trustManagers.length > 0) {
        throw new IllegalStateException("either give trust managers or say whom to trust");
      }
      if (!identities.isEmpty() && keyManagers.length > 0) {
        throw new IllegalStateException("either give key managers or an identity");
      }
      try {
        SSLContext made = context == null ? make() : context;
        if (protocols.isEmpty()) {
          throw new IllegalArgumentException("at least one version of TLS must be allowed");
        }
        check("TLS version", protocols, made.getSupportedSSLParameters().getProtocols());
        check("cipher suite", cipherSuites, made.getSupportedSSLParameters().getCipherSuites());
        return new TlsOptions(this, made);
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalArgumentException("cannot use these keys: " + e.getMessage(), e);
      }
    }

    private boolean isIdentified() {
      return !identities.isEmpty() || keyManagers.length > 0;
    }

    private SSLContext make() throws GeneralSecurityException, IOException {
      SSLContext made = SSLContext.getInstance("TLS");
      made.init(identity(), trust(), null);
      return made;
    }

    private KeyManager[] identity() {
      return identities.isEmpty()
          ? keyManagers
          : new KeyManager[] {new IdentityKeyManager(identities)};
    }

    private TrustManager[] trust() throws GeneralSecurityException, IOException {
      if (trustManagers.length > 0) {
        return trustManagers;
      }
      if (trustingEverything) {
        return new TrustManager[] {new TrustEverything()};
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      List<X509Certificate> trusted = authorities;
      factory.init(trusted != null ? store(trusted) : authorityStore);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager checker) {
          return new TrustManager[] {new ReportingTrust(checker)};
        }
      }
      throw new GeneralSecurityException("the JDK has no trust manager for certificates");
    }

    /** Holds certificates to trust. */
    private static KeyStore store(List<X509Certificate> certificates)
        throws GeneralSecurityException, IOException {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        store.setCertificateEntry("authority-" + i, certificates.get(i));
      }
      return store;
    }

    private static void check(String what, List<String> given, String[] known) {
      List<String> all = Arrays.asList(known);
      for (String each : given) {
        if (!all.contains(each)) {
          throw new IllegalArgumentException(
              each + " is no " + what + " known here: " + String.join(", ", all));
        }
      }
    }
  }
}
