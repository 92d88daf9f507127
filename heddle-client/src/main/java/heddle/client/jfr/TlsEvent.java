package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A TLS handshake. */
@Name("heddle.Tls")
@Label("HTTP TLS Handshake")
@Category({"Heddle", "Client"})
@Description("A TLS handshake.")
@StackTrace(false)
public final class TlsEvent extends AttemptPart {
  private static final TlsEvent PROBE = new TlsEvent();

  /** Such as {@code TLSv1.3}. */
  @Label("Protocol")
  public @Nullable String protocol;

  @Label("Cipher Suite")
  public @Nullable String cipherSuite;

  @Label("Application Protocol")
  public @Nullable String applicationProtocol;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
