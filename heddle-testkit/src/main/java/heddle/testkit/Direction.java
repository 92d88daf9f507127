package heddle.testkit;

/** A direction in which bytes travel on a connection. */
public enum Direction {
  /** From the side that connected to the side that accepted. */
  TO_SERVER,
  /** From the side that accepted to the side that connected. */
  TO_CLIENT
}
