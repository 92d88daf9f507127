package heddle.client.pool;

/**
 * What a call gets from its route: a connection, which it has to open first if it is new; a place
 * in the queue; or a reason why it gets neither.
 */
sealed interface Admission permits PooledConnection, Waiter, Admission.Denied {
  /** Why a call gets neither a connection nor a place in the queue. */
  enum Denied implements Admission {
    /** As many calls wait as may. */
    QUEUE_FULL,
    /** The route may grow, but the pool has no place left for a connection. */
    NO_PLACE,
    /** The pool is closed. */
    SHUT_DOWN,
    /** The pool has forgotten the route: it has to be looked up again. */
    RETIRED
  }
}
