package heddle.connection;

import heddle.transport.ChannelListener;

/**
 * A server's connection whose protocol is known: it drives one session over a channel. Whoever made
 * it has started the channel and hands on all that the channel tells; so {@link #start} and {@link
 * #startRefusing} are called on the loop and begin to keep the time, no more.
 */
public interface ServerDriver extends ServerConnection, ChannelListener {}
