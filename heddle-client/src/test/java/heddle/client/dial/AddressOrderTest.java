package heddle.client.dial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.syntax.Host;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The order of addresses, by RFC 8305 §4, and how connections spread over them. */
class AddressOrderTest {
  private static List<InetAddress> addresses(String... literals) {
    return Arrays.stream(literals).map(Host::address).toList();
  }

  private static void assertOrder(String expected, int turn, String... literals) {
    assertEquals(addresses(expected.split(" ", -1)), AddressOrder.of(addresses(literals), turn));
  }

  @Test
  void familiesTakeTurnsBeginningWithTheResolversFirst() {
    assertOrder(
        "2001:db8::1 192.0.2.1 2001:db8::2 192.0.2.2 2001:db8::3",
        0,
        "2001:db8::1",
        "2001:db8::2",
        "2001:db8::3",
        "192.0.2.1",
        "192.0.2.2");
    assertOrder("192.0.2.1 2001:db8::1 192.0.2.2", 0, "192.0.2.1", "192.0.2.2", "2001:db8::1");
  }

  @Test
  void nextConnectionBeginsWithTheNextAddressOfTheSameFamily() {
    String[] mixed = {"2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2", "192.0.2.3"};
    assertOrder("2001:db8::2 192.0.2.2 2001:db8::1 192.0.2.3 192.0.2.1", 1, mixed);
    assertOrder("2001:db8::1 192.0.2.3 2001:db8::2 192.0.2.1 192.0.2.2", 2, mixed);
    assertOrder(
        "2001:db8::2 192.0.2.3 2001:db8::1 192.0.2.1 192.0.2.2", Integer.MIN_VALUE + 1, mixed);
  }

  /** RFC 6724 §6 has ordered what differs in scope; that order is not ours to change. */
  @Test
  void addressesOfOtherScopesKeepTheirPlaces() {
    String[] scopes = {"10.0.0.1", "10.0.0.2", "192.0.2.1", "192.0.2.2", "169.254.0.1"};
    assertOrder("10.0.0.2 10.0.0.1 192.0.2.2 192.0.2.1 169.254.0.1", 1, scopes);
    assertOrder("fd00::1 2001:db8::1", 1, "fd00::1", "2001:db8::1");
    assertOrder("::1 fe80::1 2001:db8::1", 1, "::1", "fe80::1", "2001:db8::1");
  }

  @Test
  void addressThatIsNamedTwiceIsTriedOnce() {
    assertOrder("192.0.2.1 192.0.2.2", 0, "192.0.2.1", "192.0.2.2", "192.0.2.1");
  }

  @Test
  void everyOrderHasEachAddressOnceAndTheStartsSpreadEvenly() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int v4 = random.nextInt(6);
      int v6 = random.nextInt(6);
      List<InetAddress> given = new ArrayList<>();
      for (int i = 0; i < v4; i++) {
        given.add(Host.address("192.0.2." + (i + 1)));
      }
      for (int i = 0; i < v6; i++) {
        given.add(Host.address("2001:db8::" + (i + 1)));
      }
      if (given.isEmpty()) {
        continue;
      }
      int rounds = 7;
      int first = given.getFirst().getAddress().length == 4 ? v4 : v6;
      Map<InetAddress, Integer> starts = new HashMap<>();
      for (int turn = 0; turn < rounds * first; turn++) {
        List<InetAddress> order = AddressOrder.of(given, turn);
        assertEquals(new HashSet<>(given), new HashSet<>(order), "seed " + seed);
        assertEquals(given.size(), order.size(), "seed " + seed);
        starts.merge(order.getFirst(), 1, Integer::sum);
      }
      assertEquals(
          given.subList(0, first).stream().collect(Collectors.toMap(a -> a, a -> rounds)),
          starts,
          "seed " + seed);
    }
  }
}
