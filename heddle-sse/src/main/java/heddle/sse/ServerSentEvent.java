package heddle.sse;

/**
 * An event of a stream.
 *
 * @param type its name; {@code message} if the server gave none
 * @param data its lines, with line feeds between them; may be empty
 * @param id the last id that was given when the event ended, in an {@link EventSource} also by an
 *     earlier stream; empty if there was none
 */
public record ServerSentEvent(String type, String data, String id) {}
