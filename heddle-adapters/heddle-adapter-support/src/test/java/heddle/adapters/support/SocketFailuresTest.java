package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import heddle.http.HttpException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

final class SocketFailuresTest {
  @Test
  void failureHasTheKindThatCallersCatchAndHeddlesAsItsCause() {
    IOException late = HttpException.advise(
        new DeadlineExceededException("too late", null, null), "; raise Timeouts.silence");
    IOException told = SocketFailures.translate(late);
    assertInstanceOf(SocketTimeoutException.class, told);
    assertSame(late, told.getCause());
    assertEquals("too late", told.getMessage());
  }

  /** Users who were told of an option of their library find no other in the causes. */
  @Test
  void causeOfAnAdvisedFailureNamesNoSettingOfHeddle() {
    HttpException late = HttpException.advise(
        new DeadlineExceededException("too late", null, null), "; raise Timeouts.silence");
    assertEquals("too late; raise Timeouts.silence", late.getMessage());
    LimitAdvice advice = new LimitAdvice("setConnectTimeout", "setReadTimeout");
    assertEquals("too late; raise setReadTimeout", advice.translate(late).getMessage());
    assertEquals("too late", late.getMessage());
    TlsException untrusted = HttpException.advise(
        new TlsException(TlsException.Reason.UNKNOWN_AUTHORITY, "untrusted", null, null),
        "; TlsOptions.trust takes the authority's certificate");
    assertEquals("untrusted", SocketFailures.tls(untrusted).getCause().getMessage());
  }

  @Test
  void connectionThatWasNotOpenedInTimeIsATimeoutAndOneRefusedIsNot() {
    IOException slow =
        new ConnectFailedException("no answer", null, new DeadlinePassedException("5 s"));
    assertInstanceOf(SocketTimeoutException.class, SocketFailures.translate(slow));
    IOException refused = new ConnectFailedException("refused", null, null);
    assertInstanceOf(ConnectException.class, SocketFailures.translate(refused));
  }

  @Test
  void failureWithoutABetterKindStaysItself() {
    IOException lost =
        new ConnectionLostException("gone", Progress.NOTHING, Side.UNKNOWN, null, null);
    assertSame(lost, SocketFailures.translate(lost));
    Throwable other = new IllegalStateException("closed");
    assertSame(other, SocketFailures.translate(other));
  }

  @Test
  void unknownHostsAndUntrustedServersHaveTheKindsOfTheJdk() {
    IOException unknown = new UnresolvedHostException("no host", null, null);
    assertInstanceOf(UnknownHostException.class, SocketFailures.translate(unknown));
    IOException untrusted = new TlsException(TlsException.Reason.EXPIRED, "expired", null, null);
    assertInstanceOf(SSLHandshakeException.class, SocketFailures.translate(untrusted));
  }
}
