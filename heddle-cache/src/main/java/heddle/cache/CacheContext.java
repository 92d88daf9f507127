package heddle.cache;

import java.time.InstantSource;

/**
 * What the requests of one cache share.
 *
 * @param maxResponseBytes the most content of a response that is stored
 */
record CacheContext(
    FailSafeStore store,
    CachePolicy policy,
    InstantSource clock,
    long maxResponseBytes,
    Counters counters) {}
