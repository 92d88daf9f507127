package heddle.adapters.aws;

import heddle.transport.tls.TlsOptions;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.TlsKeyManagersProvider;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.utils.AttributeMap;

/** Trust managers and client keys from the SDK's options. */
final class Trust {
  private static final SdkHttpConfigurationOption<TlsTrustManagersProvider> MANAGERS =
      SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER;
  private static final SdkHttpConfigurationOption<Boolean> EVERYTHING =
      SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES;

  private Trust() {}

  /**
   * Returns the TLS options, or null for the defaults.
   *
   * @throws IllegalArgumentException if two options contradict each other, or a provider returns
   *     nothing
   */
  static @Nullable TlsOptions of(AttributeMap options) {
    TlsTrustManagersProvider some = options.get(MANAGERS);
    boolean everything = Boolean.TRUE.equals(options.get(EVERYTHING));
    if (some != null && everything) {
      throw Settings.refusal(
          EVERYTHING, MANAGERS.name() + " also decides which servers to trust: set only one");
    }
    TlsKeyManagersProvider identity =
        options.get(SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER);
    KeyManager @Nullable [] keys = identity == null ? null : identity.keyManagers();
    TrustManager @Nullable [] managers = some == null ? null : some.trustManagers();
    if (managers != null && managers.length == 0) {
      throw Settings.refusal(
          MANAGERS, "it provides no trust manager, so no server would be trusted");
    }
    if (managers == null && !everything && keys == null) {
      return null;
    }
    TlsOptions.Builder tls = TlsOptions.builder();
    if (keys != null) {
      tls.keyManagers(keys);
    }
    if (managers != null) {
      tls.trustManagers(managers).hostNamesByTrustManagers().allowShortRsaKeys();
    }
    if (everything) {
      tls.insecureTrustEverything();
    }
    return tls.build();
  }
}
