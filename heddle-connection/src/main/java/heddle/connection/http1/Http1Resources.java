package heddle.connection.http1;

import heddle.connection.MemoryBudget;
import heddle.connection.RecentOrigins;
import heddle.connection.ServerLimits;

/**
 * What all HTTP/1.1 connections of a server have in common.
 *
 * @param hostRequired whether a request of HTTP/1.1 without a Host field is refused
 * @param budget what the server holds for all its peers
 */
public record Http1Resources(
    ServerLimits limits,
    boolean hostRequired,
    MemoryBudget budget,
    HeadParsers parsers,
    RecentOrigins origins) {}
