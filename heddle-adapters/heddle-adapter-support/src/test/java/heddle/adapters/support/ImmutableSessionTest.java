package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ImmutableSessionTest {
  @Test
  void valuesAreThoseOfTheSessionAndCannotBeChanged() throws Exception {
    SSLSession live = SSLContext.getDefault().createSSLEngine("a.test", 443).getSession();
    SSLSession shown = ImmutableSession.of(live);
    assertSame(shown, ImmutableSession.of(shown));
    assertEquals(live.getProtocol(), shown.getProtocol());
    assertEquals(live.getCipherSuite(), shown.getCipherSuite());
    assertEquals(live.getPeerHost(), shown.getPeerHost());
    for (Executable change : new Executable[] {
      shown::invalidate,
      shown::getSessionContext,
      () -> shown.putValue("a", "b"),
      () -> shown.removeValue("a"),
    }) {
      assertThrows(UnsupportedOperationException.class, change);
    }
    assertNull(live.getValue("a"));
  }
}
