package heddle.doh;

import heddle.http.HttpVersion;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.xbill.DNS.HTTPSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SVCBBase;
import org.xbill.DNS.SVCBBase.ParameterAlpn;
import org.xbill.DNS.SVCBBase.ParameterMandatory;
import org.xbill.DNS.SVCBBase.ParameterPort;

/** What HTTPS records (RFC 9460) say about the versions of HTTP that a host speaks itself. */
final class ServiceBindings {
  private static final int HTTPS_PORT = 443;

  /** RFC 9460 §8: a record that needs others to be understood is ignored. */
  private static final Set<Integer> UNDERSTOOD =
      Set.of(SVCBBase.ALPN, SVCBBase.NO_DEFAULT_ALPN, SVCBBase.PORT);

  private ServiceBindings() {}

  /** The versions, without those that Heddle does not speak; empty if the records do not say. */
  static Set<HttpVersion> versions(List<Record> records) {
    Set<HttpVersion> versions = EnumSet.noneOf(HttpVersion.class);
    for (Record each : records) {
      HTTPSRecord record = (HTTPSRecord) each;
      if (isOfTheHostItself(record)) {
        add(record, versions);
      }
    }
    return versions;
  }

  /**
   * A record in AliasMode (priority 0, RFC 9460 §2.4.2) says nothing about versions, and one with
   * another target or port is about a server to which the client does not connect.
   */
  private static boolean isOfTheHostItself(HTTPSRecord record) {
    boolean here =
        record.getTargetName().equals(Name.root) || record.getTargetName().equals(record.getName());
    return record.getSvcPriority() != 0
        && here
        && (!(record.getSvcParamValue(SVCBBase.PORT) instanceof ParameterPort other)
            || other.getPort() == HTTPS_PORT)
        && (!(record.getSvcParamValue(SVCBBase.MANDATORY) instanceof ParameterMandatory mandatory)
            || UNDERSTOOD.containsAll(mandatory.getValues()));
  }

  private static void add(HTTPSRecord record, Set<HttpVersion> versions) {
    // RFC 9460 §9.5: the default protocol is http/1.1.
    if (record.getSvcParamValue(SVCBBase.NO_DEFAULT_ALPN) == null) {
      versions.add(HttpVersion.HTTP_1_1);
    }
    if (record.getSvcParamValue(SVCBBase.ALPN) instanceof ParameterAlpn alpn) {
      for (String protocol : alpn.getValues()) {
        switch (protocol) {
          case "h2" -> versions.add(HttpVersion.HTTP_2);
          case "http/1.1" -> versions.add(HttpVersion.HTTP_1_1);
          default -> {} // Such as h3.
        }
      }
    }
  }
}
