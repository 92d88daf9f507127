package heddle.sse;

/**
 * An event of a stream.
 *
 * @param type its name; {@code message} if the server gave none
 * @param data its lines, with line feeds between them; may be empty
 * @param id the last id that the stream had given when the event ended; empty if it had given none
 */
public record ServerSentEvent(String type, String data, String id) {}
