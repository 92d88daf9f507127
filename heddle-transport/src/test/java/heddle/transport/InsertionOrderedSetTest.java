package heddle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members in the order in which they came. */
class InsertionOrderedSetTest {
  private final InsertionOrderedSet<Object> set = new InsertionOrderedSet<>();

  @Test
  void membersAreGoneThroughInTheOrderInWhichTheyCame() {
    List<Object> came = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Object member = new Object(); // whose hash is its identity's
      came.add(member);
      set.add(member);
    }
    assertEquals(came, set.inOrder());
    assertTrue(set.remove(came.remove(50)));
    assertEquals(came, set.inOrder());
  }

  @Test
  void whoIsAMemberAlreadyKeepsItsPlace() {
    set.add("a");
    set.add("b");
    set.add("a");
    assertEquals(List.of("a", "b"), set.inOrder());
  }

  @Test
  void theFirstIsWhoCameBeforeAllOthers() {
    assertNull(set.first());
    set.add("b");
    set.add("a");
    assertEquals("b", set.first());
    set.remove("b");
    set.add("b");
    assertEquals("a", set.first());
  }

  @Test
  void whoHasLeftIsNoMember() {
    set.add("a");
    assertFalse(set.isEmpty());
    assertTrue(set.remove("a"));
    assertFalse(set.remove("a"));
    assertTrue(set.isEmpty());
  }
}
