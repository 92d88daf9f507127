package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.ProtocolException.Violation;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import heddle.http.failure.TlsException;
import heddle.http.failure.TlsException.Reason;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import heddle.transport.TlsHandshakeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From the causes below to the exceptions that a call throws. */
class FailuresTest {
  private static final Exchange WITH_SILENCE =
      new OneExchange(Request.get(URI.create("http://a.test/"))) {
        @Override
        public long maxSilenceNanos() {
          return 30_000_000_000L;
        }
      };

  private static FailurePoint at(Phase phase) {
    return new FailurePoint(
        Method.PUT, Origin.http("a.test", 80), phase, Sent.UNKNOWN, Duration.ofMillis(12));
  }

  /** Asserts the class, the message, the point and the cause. */
  private static void assertExplained(
      Class<? extends HttpException> type, String message, Exception cause, Phase phase) {
    HttpException explained = (HttpException) Failures.explain(cause, at(phase));
    assertEquals(type, explained.getClass());
    assertEquals(
        message + ": PUT http://a.test:80 while " + phase + " after 12 ms, request sent: unknown",
        explained.getMessage());
    assertEquals(at(phase), explained.at());
    assertSame(cause, explained.getCause());
  }

  @Test
  void whatSaysAllAlreadyIsThrownAsItIs() {
    ClientClosedException closed = new ClientClosedException("closed", at(Phase.QUEUE), null);
    assertSame(closed, Failures.explain(closed, at(Phase.SEND)));
    InterruptedIOException interrupt = new InterruptedIOException("stop");
    assertSame(interrupt, Failures.explain(interrupt, at(Phase.SEND)));
  }

  @Test
  void silenceThatIsNoticedMuchLaterIsNoFaultOfTheServerAlone() {
    assertExplained(
        DeadlineExceededException.class,
        "the server sent nothing for 30000 ms (noticed after 31000 ms: this process was held up)"
            + "; raise Timeouts.silence",
        SilenceException.of(WITH_SILENCE, true, 31_000_000_000L),
        Phase.AWAIT_HEAD);
    assertEquals(
        "the server sent nothing for 30000 ms",
        SilenceException.of(WITH_SILENCE, true, 30_999_999_999L).getMessage());
  }

  @Test
  void silenceAndDeadlineBecomeDeadlineExceeded() {
    assertExplained(
        DeadlineExceededException.class,
        "the server sent nothing for 30000 ms; raise Timeouts.silence",
        SilenceException.of(WITH_SILENCE, true),
        Phase.AWAIT_HEAD);
    assertExplained(
        DeadlineExceededException.class,
        "too late; give the request more time or ask for less",
        new DeadlinePassedException("too late"),
        Phase.CONNECT);
  }

  /** A server that refuses our certificate says so only after the handshake (RFC 8446 §4.4.2). */
  @ParameterizedTest
  @EnumSource
  void refusedHandshakeKeepsItsReasonWhateverThePhase(TlsException.Reason reason) {
    TlsHandshakeException cause = new TlsHandshakeException(reason, "no trust in a.test", null);
    for (Phase phase : List.of(Phase.TLS, Phase.AWAIT_HEAD)) {
      TlsException explained = (TlsException) Failures.explain(cause, at(phase));
      assertEquals(reason.name(), explained.reason().name());
      assertEquals(at(phase), explained.at());
      assertTrue(explained.getMessage().startsWith("no trust in a.test"), explained.getMessage());
    }
  }

  @Test
  void refusedHandshakeComesWithAdviceWhereThereIsAny() {
    assertExplained(
        TlsException.class,
        "who is it; TlsOptions.trust takes the authority's certificate",
        new TlsHandshakeException(Reason.UNKNOWN_AUTHORITY, "who is it", null),
        Phase.TLS);
    assertExplained(
        TlsException.class,
        "who are you; TlsOptions.identity takes a certificate to show",
        new TlsHandshakeException(Reason.CLIENT_CERTIFICATE_REFUSED, "who are you", null),
        Phase.AWAIT_HEAD);
    assertExplained(
        TlsException.class,
        "too old",
        new TlsHandshakeException(Reason.EXPIRED, "too old", null),
        Phase.TLS);
  }

  @Test
  void unknownHostIsUnresolvedWhateverThePhase() {
    assertExplained(
        UnresolvedHostException.class,
        "nobody; check the URL's host",
        new UnknownHostException("nobody"),
        Phase.RESOLVE);
  }

  @Test
  void networkFailureIsNamedAfterItsPhase() {
    assertExplained(
        UnresolvedHostException.class,
        "cannot look the host up: broken",
        new IOException("broken"),
        Phase.RESOLVE);
    assertExplained(
        ConnectFailedException.class,
        "cannot connect: refused",
        new ConnectException("refused"),
        Phase.CONNECT);
    for (Phase phase : new Phase[] {Phase.SEND, Phase.AWAIT_HEAD, Phase.READ_BODY}) {
      assertExplained(
          ConnectionLostException.class,
          "the connection was lost: reset",
          new IOException("reset"),
          phase);
    }
  }

  @Test
  void failureWithoutMessageIsNamedByItsClass() {
    assertExplained(
        ConnectionLostException.class,
        "the connection was lost: java.io.IOException",
        new IOException(),
        Phase.SEND);
  }

  @Test
  void lostConnectionKeepsWhatIsKnownOfItsEnd() {
    for (Progress progress : Progress.values()) {
      Exception cause =
          new LostConnectionException("gone", progress, Side.PEER, "; try again", null);
      assertExplained(ConnectionLostException.class, "gone; try again", cause, Phase.READ_BODY);
      var lost = (ConnectionLostException) Failures.explain(cause, at(Phase.READ_BODY));
      assertEquals("gone", lost.problem());
      assertEquals(progress, lost.progress());
      assertEquals(Side.PEER, lost.closedBy());
    }
  }

  @Test
  void progressFollowsFromThePhaseWhereNothingElseIsKnown() {
    for (Exception cause : List.of(new IOException("reset"), new ClosedChannelException())) {
      for (Phase phase : List.of(Phase.SEND, Phase.AWAIT_HEAD, Phase.READ_BODY)) {
        var lost = (ConnectionLostException) Failures.explain(cause, at(phase));
        assertEquals(
            phase == Phase.READ_BODY ? Progress.CONTENT : Progress.NOTHING, lost.progress());
        assertEquals(
            cause instanceof ClosedChannelException ? Side.SELF : Side.UNKNOWN, lost.closedBy());
      }
    }
  }

  @Test
  void closedChannelIsALostConnection() {
    assertExplained(
        ConnectionLostException.class,
        "the connection was closed",
        new ClosedChannelException(),
        Phase.SEND);
    assertExplained(
        ConnectFailedException.class,
        "cannot connect: the connection was closed",
        new ClosedChannelException(),
        Phase.CONNECT);
  }

  @Test
  void failureOfOursWithoutAPointKeepsItsMessage() {
    HttpException explained =
        (HttpException) Failures.explain(new HttpException("odd", null, null), at(Phase.SEND));
    assertTrue(explained.getMessage().contains("odd"), explained.getMessage());
    assertEquals(Phase.SEND, explained.at().phase());
  }

  @ParameterizedTest
  @EnumSource(Violation.class)
  void violationIsLostTooLargeOrMalformed(Violation violation) {
    Class<? extends HttpException> type = violation.isTruncation()
        ? ConnectionLostException.class
        : violation.isLimit() ? MessageTooLargeException.class : MalformedMessageException.class;
    String message = violation.isTruncation()
        ? "seen this"
        : "the server's response is not valid HTTP: seen this";
    assertExplained(type, message, violation.because("seen this"), Phase.AWAIT_HEAD);
  }
}
