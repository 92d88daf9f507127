package heddle.client.pool;

/**
 * What a call gets from its route: a connection, which it has to open first if it is new; a place
 * in the queue; or a reason why it gets neither.
 */
sealed interface Admission permits PooledConnection, Waiter, Admission.Denied {
  /** Why a call gets neither a connection nor a place in the queue. */
  enum Denied implements Admission {
    /** The queue has reached its limit. */
    QUEUE_FULL,
    /** The route's limits allow another connection, but the pool's limit is reached. */
    NO_PLACE,
    /** The pool is closed. */
    SHUT_DOWN,
    /** The pool has forgotten the route: the caller looks it up again. */
    RETIRED
  }
}
