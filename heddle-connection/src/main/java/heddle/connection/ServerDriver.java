package heddle.connection;

import heddle.transport.ChannelListener;

/**
 * A server's connection whose protocol is known: it drives one session over a channel. Its owner
 * has started the channel and forwards the channel's events to it; so {@link #start} and {@link
 * #startRefusing} are called on the loop and only begin to keep the time.
 */
public interface ServerDriver extends ServerConnection, ChannelListener {}
