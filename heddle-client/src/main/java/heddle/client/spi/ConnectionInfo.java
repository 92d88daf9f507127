package heddle.client.spi;

import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection.
 *
 * @param id unique among the connections of this process; above 0
 * @param origin whom it was opened for
 * @param version what is spoken on it
 * @param remoteAddress where it leads; null where that is not known
 * @param tlsSession what the TLS handshake settled: version, cipher suite, certificates; null
 *     without TLS
 */
public record ConnectionInfo(
    long id,
    Origin origin,
    HttpVersion version,
    @Nullable SocketAddress remoteAddress,
    @Nullable SSLSession tlsSession) {}
