package heddle.transport.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TlsOptionsTest {
  @Test
  void enginesUseTheNamedGroupsThatWereSetInTheirOrder() {
    TlsOptions options =
        TlsOptions.builder().namedGroups("secp384r1", "secp256r1").build();
    String[] groups = {"secp384r1", "secp256r1"};
    assertArrayEquals(
        groups,
        options.clientEngine("a.test", 443, List.of(), null).getSSLParameters().getNamedGroups());
    assertArrayEquals(groups, options.serverEngine(List.of()).getSSLParameters().getNamedGroups());
  }

  @Test
  void aNamedGroupCannotBeSetTwice() {
    assertThrows(IllegalArgumentException.class, () -> TlsOptions.builder()
        .namedGroups("secp256r1", "secp256r1"));
  }
}
