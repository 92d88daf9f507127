package heddle.cache;

/**
 * What a cache has done since it was made, and what it holds. The figures are read one after the
 * other, so that they may differ by calls that are under way.
 *
 * @param hits requests that were answered from the store without an answer of the server to use:
 *     it was not asked, or failed and the stored response may be used then
 * @param validated requests that were answered from the store after the server was asked whether
 *     that is still valid
 * @param misses requests that the server answered although they might have been answered from the
 *     store
 * @param stored responses that were stored
 * @param failures failed operations of the store; the calls went on without it
 * @param evicted resources that have made room for others since the store was opened
 * @param bytes that the store holds
 */
public record CacheStatistics(
    long hits, long validated, long misses, long stored, long failures, long evicted, long bytes) {}
