package heddle.transport;

import heddle.transport.time.Deadline;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Protects channels with TLS, on either side. Safe for use by many threads. */
public interface TlsProvider {
  /**
   * Makes the handshake as a client; parks the calling thread until it is done. The channel must
   * not have been {@linkplain Channel#start started}; it is closed when the handshake fails.
   *
   * @param host whose certificate is expected: an address without brackets, or a name, which the
   *     server is sent too (RFC 6066 §3)
   * @param port for the session cache
   * @param protocols to offer (RFC 7301), the preferred one first; empty to offer none
   * @throws TlsHandshakeException when the two do not agree, or the server is not the expected one
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  SecureChannel connect(
      Channel channel, String host, int port, List<String> protocols, Deadline deadline)
      throws IOException;

  /**
   * Makes the handshake as a server. To be called on the loop of the channel, before it is started;
   * never blocks. Exactly one of the two consumers is called, once, on the loop; neither is, and
   * the channel is left to the caller, if this method throws.
   *
   * @param protocols that the server speaks (RFC 7301), the preferred one first
   * @param handshakeNanos how long the handshake may take from now on
   * @param onReady gets the channel to {@linkplain Channel#start start}
   * @param onFailed called when the channel has closed before it was ready; gets the reason, or
   *     null if this side closed it, or had no memory to say why
   */
  void accept(
      Channel channel,
      List<String> protocols,
      long handshakeNanos,
      Consumer<SecureChannel> onReady,
      Consumer<@Nullable IOException> onFailed);
}
