package heddle.client.jfr;

import jdk.jfr.Event;
import jdk.jfr.Label;
import org.jspecify.annotations.Nullable;

/** What the events of an attempt have in common, so that they can be told to belong together. */
public abstract class AttemptPart extends Event {
  /** As {@code heddle.client.spi.CallInfo} has it. */
  @Label("Call")
  public long callId;

  /** 1 for the first. */
  @Label("Attempt")
  public int attempt;

  @Label("Origin")
  public @Nullable String origin;

  /** What went wrong; null where nothing did. */
  @Label("Failure")
  public @Nullable String failure;

  AttemptPart() {}
}
