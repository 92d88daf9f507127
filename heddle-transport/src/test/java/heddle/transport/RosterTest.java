package heddle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members in the order in which they came. */
class RosterTest {
  private final Roster<Object> roster = new Roster<>();

  @Test
  void membersAreGoneThroughInTheOrderInWhichTheyCame() {
    List<Object> came = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Object member = new Object(); // whose hash is its identity's
      came.add(member);
      roster.add(member);
    }
    assertEquals(came, roster.inOrder());
    assertTrue(roster.remove(came.remove(50)));
    assertEquals(came, roster.inOrder());
  }

  @Test
  void whoIsAMemberAlreadyKeepsItsPlace() {
    roster.add("a");
    roster.add("b");
    roster.add("a");
    assertEquals(List.of("a", "b"), roster.inOrder());
  }

  @Test
  void theFirstIsWhoCameBeforeAllOthers() {
    assertNull(roster.first());
    roster.add("b");
    roster.add("a");
    assertEquals("b", roster.first());
    roster.remove("b");
    roster.add("b");
    assertEquals("a", roster.first());
  }

  @Test
  void whoHasLeftIsNoMember() {
    roster.add("a");
    assertFalse(roster.isEmpty());
    assertTrue(roster.remove("a"));
    assertFalse(roster.remove("a"));
    assertTrue(roster.isEmpty());
  }
}
