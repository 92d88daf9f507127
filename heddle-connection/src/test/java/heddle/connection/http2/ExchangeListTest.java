package heddle.connection.http2;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When it pays to wait a moment for the requests of others. */
class ExchangeListTest {
  private final ExchangeList exchanges = new ExchangeList();

  @Test
  void theFirstRequestOfAllHasNoOthersNear() {
    assertFalse(exchanges.othersAreNear());
  }

  @Test
  void callersWhoseAnswersCameTogetherSendTogether() {
    exchanges.endedTogether(2);
    assertTrue(exchanges.othersAreNear(), "the other one was woken too and is about to send");
  }

  @Test
  void aCallerThatCallsAloneWaitsForNobody() {
    exchanges.endedTogether(100);
    exchanges.endedTogether(1);
    assertFalse(exchanges.othersAreNear());
  }
}
