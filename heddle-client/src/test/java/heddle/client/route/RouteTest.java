package heddle.client.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import heddle.http.HttpVersion;
import heddle.http.Origin;
import org.junit.jupiter.api.Test;

/** Routes as keys. */
class RouteTest {
  private static final Origin ORIGIN = Origin.http("a.test", 80);

  @Test
  void routesWithTheSameOriginAndVersionAreEqual() {
    assertEquals(new Route(ORIGIN), new Route(Origin.http("A.test", 80)));
    assertNotEquals(new Route(ORIGIN), new Route(ORIGIN, HttpVersion.HTTP_2));
  }

  /** The order of a map whose keys are routes follows from it, and so does a simulated world. */
  @Test
  void theHashIsTheSameInEveryProcess() {
    assertEquals(-1_987_383_703, new Route(ORIGIN).hashCode());
    assertEquals(154_073_252, new Route(ORIGIN, HttpVersion.HTTP_2).hashCode());
  }
}
