package heddle.doh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** Versions of HTTP in HTTPS records (RFC 9460). */
final class ServiceBindingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 . alpn=h2,http/1.1                          | [HTTP/1.1, HTTP/2]
          1 . alpn=h2                                   | [HTTP/1.1, HTTP/2]
          1 . alpn=h2 no-default-alpn                   | [HTTP/2]
          1 . alpn=h3,h2 ipv4hint=192.0.2.1             | [HTTP/1.1, HTTP/2]
          1 . alpn=h3 no-default-alpn                   | []
          1 . ipv4hint=192.0.2.1                        | [HTTP/1.1]
          1 .                                           | [HTTP/1.1]
          16 A.test. alpn=h2                            | [HTTP/1.1, HTTP/2]
          1 . port=443                                  | [HTTP/1.1]
          1 . alpn=h2 port=8443                         | []
          1 other.test. alpn=h2                         | []
          0 other.test.                                 | []
          0 .                                           | []
          1 . mandatory=alpn,port alpn=h2 port=443      | [HTTP/1.1, HTTP/2]
          1 . mandatory=ipv4hint ipv4hint=192.0.2.1     | []
          1 . key65333=x                                | [HTTP/1.1]
          1 . mandatory=key65333 key65333=x             | []
          1 . ; 2 . alpn=h2 no-default-alpn             | [HTTP/1.1, HTTP/2]
          """)
  void versionsAreThoseOfTheHostItself(String data, String versions) throws IOException {
    List<Record> records = new ArrayList<>();
    for (String each : data.split(" ; ", -1)) {
      records.add(NameServer.record("a.test", Type.HTTPS, 60, each));
    }
    assertEquals(versions, new TreeSet<>(ServiceBindings.versions(records)).toString());
  }
}
