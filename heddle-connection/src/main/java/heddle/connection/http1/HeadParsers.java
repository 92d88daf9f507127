package heddle.connection.http1;

import heddle.codec.http1.HeadParser;
import heddle.transport.EventLoop;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One parser for all connections of a loop: a loop parses one head at a time, and only a partial
 * head needs a parser for its connection alone. Kept by a client or server for its lifetime. Safe
 * for use by many threads.
 */
public final class HeadParsers {
  private final ConcurrentHashMap<EventLoop, HeadParser> parsers = new ConcurrentHashMap<>();

  HeadParser of(EventLoop loop) {
    return parsers.computeIfAbsent(loop, each -> new HeadParser());
  }
}
