package heddle.adapters.aws;

import heddle.transport.tls.TlsOptions;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.TlsKeyManagersProvider;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.utils.AttributeMap;

/** Whom the SDK's options trust and who they are. */
final class Trust {
  private static final SdkHttpConfigurationOption<TlsTrustManagersProvider> MANAGERS =
      SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER;
  private static final SdkHttpConfigurationOption<Boolean> EVERYTHING =
      SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES;

  private Trust() {}

  /**
   * What they say of TLS; null where that is what a client does anyway.
   *
   * @throws IllegalArgumentException if two options contradict each other, or hold nothing
   */
  static @Nullable TlsOptions of(AttributeMap options) {
    TlsTrustManagersProvider some = options.get(MANAGERS);
    boolean everything = Boolean.TRUE.equals(options.get(EVERYTHING));
    if (some != null && everything) {
      throw Settings.refusal(
          EVERYTHING, MANAGERS.name() + " is given too, and says whom to trust: leave one out");
    }
    TlsKeyManagersProvider identity =
        options.get(SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER);
    KeyManager @Nullable [] keys = identity == null ? null : identity.keyManagers();
    TrustManager @Nullable [] managers = some == null ? null : some.trustManagers();
    if (managers != null && managers.length == 0) {
      throw Settings.refusal(MANAGERS, "it provides no trust manager, so no server would do");
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
