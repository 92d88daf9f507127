package heddle.client.jfr;

import jdk.jfr.Event;
import jdk.jfr.Label;
import org.jspecify.annotations.Nullable;

/** What the events of an attempt have in common; it shows which events belong together. */
public abstract class AttemptPart extends Event {
  /** The id in {@code heddle.client.spi.CallInfo}. */
  @Label("Call")
  public long callId;

  /** 1 for the first. */
  @Label("Attempt")
  public int attempt;

  @Label("Origin")
  public @Nullable String origin;

  /** The failure; null if there was none. */
  @Label("Failure")
  public @Nullable String failure;

  AttemptPart() {}
}
