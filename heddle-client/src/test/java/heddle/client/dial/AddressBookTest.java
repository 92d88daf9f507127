package heddle.client.dial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.syntax.Host;
import heddle.transport.names.Resolver.ResolvedHost;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which addresses have vanished, and whose turn it is. */
class AddressBookTest {
  private static final InetAddress A = Host.address("192.0.2.1");
  private static final InetAddress B = Host.address("192.0.2.2");
  private static final InetAddress C = Host.address("192.0.2.3");

  private final AddressBook book = new AddressBook();

  private static ResolvedHost answer(InetAddress... addresses) {
    return new ResolvedHost(Arrays.asList(addresses));
  }

  @Test
  void addressHasVanishedWhenTwoAnswersInARowDoNotContainIt() {
    book.arrange("a.test", answer(A, B));
    assertFalse(book.hasVanished("a.test", A));
    book.answered("a.test", answer(B));
    assertFalse(book.hasVanished("a.test", A), "one answer may be a part of many addresses");
    book.answered("a.test", answer(B, C));
    assertTrue(book.hasVanished("a.test", A));
    assertFalse(book.hasVanished("a.test", B));
    assertFalse(book.hasVanished("a.test", C));
    book.answered("a.test", answer(A));
    assertFalse(book.hasVanished("a.test", A), "it is back");
  }

  @Test
  void answerThatIsOnlyRememberedIsNoSecondAnswer() {
    book.arrange("a.test", answer(A));
    ResolvedHost moved = answer(B);
    book.answered("a.test", moved);
    book.arrange("a.test", moved);
    book.answered("a.test", moved);
    assertFalse(book.hasVanished("a.test", A));
  }

  @Test
  void answersForOneHostSayNothingOfAnother() {
    book.arrange("a.test", answer(A));
    book.arrange("b.test", answer(B));
    book.answered("a.test", answer(C));
    book.answered("a.test", answer(C));
    assertTrue(book.hasVanished("a.test", A));
    assertTrue(book.hasVanished("a.test", B));
    assertFalse(book.hasVanished("b.test", B));
    assertFalse(book.hasVanished("c.test", A), "nothing is known of it");
  }

  @Test
  void turnsOfHostsAreCountedApart() {
    ResolvedHost both = answer(A, B);
    for (int i = 0; i < 3; i++) {
      assertEquals(i % 2 == 0 ? List.of(A, B) : List.of(B, A), book.arrange("a.test", both));
      assertEquals(i % 2 == 0 ? List.of(A, B) : List.of(B, A), book.arrange("b.test", both));
    }
  }

  @Test
  void hostsThatAreNotInUseAreForgotten() {
    book.arrange("a.test", answer(A));
    book.arrange("b.test", answer(A));
    for (int i = 0; i < 2; i++) {
      book.answered("a.test", answer(B));
      book.answered("b.test", answer(B));
    }
    book.retain(Set.of("b.test"));
    assertFalse(book.hasVanished("a.test", A));
    assertTrue(book.hasVanished("b.test", A));
  }

  @Test
  void numberOfHostsIsBounded() {
    for (int i = 0; i <= AddressBook.MAX_HOSTS; i++) {
      book.answered(i + ".test", answer(A));
      book.answered(i + ".test", answer(B));
      book.answered(i + ".test", answer(B));
    }
    assertFalse(book.hasVanished("0.test", A), "the oldest made room");
    assertTrue(book.hasVanished("1.test", A));
  }
}
