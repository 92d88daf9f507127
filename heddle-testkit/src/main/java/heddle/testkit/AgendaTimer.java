package heddle.testkit;

import heddle.transport.Deadline;
import heddle.transport.Timer;
import org.jspecify.annotations.Nullable;

/** A timer whose time, when it has one, is one entry of its loop's agenda. */
final class AgendaTimer implements Timer {
  /** A loop with an agenda and a lock that guards it. */
  interface Keeper {
    void locked(Runnable step);

    /** Under the lock. */
    Agenda.Entry schedule(long atNanos, Runnable task);

    /** Under the lock. */
    void withdraw(Agenda.Entry entry);
  }

  private final Keeper keeper;
  private final Runnable onFire;

  /** Guarded by the keeper's lock. */
  private Agenda.@Nullable Entry entry;

  /** Guarded by the keeper's lock. */
  private boolean cancelled;

  AgendaTimer(Keeper keeper, Runnable onFire) {
    this.keeper = keeper;
    this.onFire = onFire;
  }

  @Override
  public void arm(long atNanos) {
    keeper.locked(() -> {
      withdraw();
      if (!cancelled && atNanos != Deadline.NEVER_NANOS) {
        entry = keeper.schedule(atNanos, onFire);
      }
    });
  }

  @Override
  public void disarm() {
    keeper.locked(this::withdraw);
  }

  @Override
  public void cancel() {
    keeper.locked(() -> {
      withdraw();
      cancelled = true;
    });
  }

  private void withdraw() {
    if (entry != null) {
      keeper.withdraw(entry);
      entry = null;
    }
  }
}
