package heddle.adapters.apache5;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;

/** Knows no host. */
final class NoNames implements DnsResolver {
  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    throw new UnknownHostException(host + " is not known here");
  }

  @Override
  public String resolveCanonicalHostname(String host) throws UnknownHostException {
    throw new UnknownHostException(host + " is not known here");
  }
}
