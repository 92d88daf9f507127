/**
 * A private HTTP cache (RFC 9111), with stale responses by RFC 5861 and immutable ones by RFC 8246.
 */
@NullMarked
package heddle.cache;

import org.jspecify.annotations.NullMarked;
