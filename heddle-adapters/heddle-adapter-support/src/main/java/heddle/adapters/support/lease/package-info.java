/**
 * Connection managers over Heddle whose leases are permits, for any version of Apache's client. Not
 * an API for users: it changes without notice.
 */
@NullMarked
package heddle.adapters.support.lease;

import org.jspecify.annotations.NullMarked;
