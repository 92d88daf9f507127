package heddle.transport.tls;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Chooses one of several identities. As a server by the name that the client asks for (RFC 6066
 * §3): those whose certificate has this name, then those with a wildcard for it, then the first
 * identity with all others that are for the same names, then any. Of these groups the first counts
 * that has a key with which the client can verify a signature; within it the key type is chosen by
 * JSSE, which asks for one type after another in the order of preference.
 *
 * <p>As a client the first whose key type and authorities the server accepts. An alias is the index
 * of an identity. Immutable.
 */
final class IdentityKeyManager extends X509ExtendedKeyManager {
  private static final String[] NONE = {};

  private final List<Identity> identities;

  /** By a DNS name in small letters, or a wildcard such as {@code *.a.test}. */
  private final Map<String, List<Integer>> byName = new HashMap<>();

  /** The first, and those that are for the same names, with another type of key. */
  private final List<Integer> defaults;

  private final List<Integer> all;

  IdentityKeyManager(List<Identity> identities) {
    this.identities = List.copyOf(identities);
    this.all = IntStream.range(0, identities.size()).boxed().toList();
    List<Set<String>> names = this.identities.stream()
        .map(each -> ServerIdentity.dnsNames(each.certificate()))
        .toList();
    for (int each : all) {
      names
          .get(each)
          .forEach(name -> byName.computeIfAbsent(name, n -> new ArrayList<>()).add(each));
    }
    this.defaults = all.stream()
        .filter(each ->
            each == 0 || !names.getFirst().isEmpty() && names.get(each).equals(names.getFirst()))
        .toList();
  }

  private @Nullable String chooseServer(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLSession handshake) {
    String name = null;
    String[] algorithms = NONE;
    if (handshake instanceof ExtendedSSLSession session) {
      name = requestedName(session);
      algorithms = session.getPeerSupportedSignatureAlgorithms();
    }
    String[] understood = algorithms;
    Predicate<Identity> usable = each -> each.isIssuedBy(issuers) && each.canSign(understood);
    String wildcard = name == null ? null : ServerIdentity.wildcardFor(name);
    for (List<Integer> group : List.of(named(name), named(wildcard), defaults, all)) {
      if (first(group, usable).isPresent()) {
        // JSSE asks for the other types of key if the group has none of this one.
        return alias(first(group, usable.and(each -> each.hasType(keyType))));
      }
    }
    return null;
  }

  private OptionalInt first(List<Integer> group, Predicate<Identity> wanted) {
    return group.stream()
        .mapToInt(Integer::intValue)
        .filter(each -> wanted.test(identities.get(each)))
        .findFirst();
  }

  private static @Nullable String alias(OptionalInt index) {
    return index.isPresent() ? Integer.toString(index.getAsInt()) : null;
  }

  private List<Integer> named(@Nullable String name) {
    return name == null ? List.of() : byName.getOrDefault(name, List.of());
  }

  private static @Nullable String requestedName(ExtendedSSLSession session) {
    for (SNIServerName each : session.getRequestedServerNames()) {
      if (each.getType() == StandardConstants.SNI_HOST_NAME) {
        return new String(each.getEncoded(), StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
      }
    }
    return null;
  }

  private @Nullable String chooseClient(String[] keyTypes, Principal @Nullable [] issuers) {
    for (String keyType : keyTypes) {
      OptionalInt found = first(all, each -> each.hasType(keyType) && each.isIssuedBy(issuers));
      if (found.isPresent()) {
        return alias(found);
      }
    }
    return null;
  }

  private String @Nullable [] aliases(String keyType, Principal @Nullable [] issuers) {
    String[] found = IntStream.range(0, identities.size())
        .filter(i -> identities.get(i).hasType(keyType) && identities.get(i).isIssuedBy(issuers))
        .mapToObj(Integer::toString)
        .toArray(String[]::new);
    return found.length == 0 ? null : found;
  }

  private @Nullable Identity identity(String alias) {
    try {
      return identities.get(Integer.parseInt(alias));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return null; // None of ours.
    }
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return chooseServer(keyType, issuers, engine == null ? null : engine.getHandshakeSession());
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    SSLSession handshake = socket instanceof SSLSocket tls ? tls.getHandshakeSession() : null;
    return chooseServer(keyType, issuers, handshake);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return chooseClient(keyTypes, issuers);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseClient(keyTypes, issuers);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType, issuers);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType, issuers);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    Identity found = identity(alias);
    return found == null ? null : found.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    Identity found = identity(alias);
    return found == null ? null : found.key();
  }
}
