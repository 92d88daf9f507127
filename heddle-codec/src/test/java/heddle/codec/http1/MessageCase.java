package heddle.codec.http1;

import heddle.codec.ProtocolException.Violation;
import heddle.http.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message or several, and what becomes of them.
 *
 * @param asked what a client asked; empty for input to a server
 * @param violation what it is refused for, or null
 * @param yields the lines of the {@link Conversation}; empty when the case is about the refusal
 *     alone
 * @param left what is not consumed
 */
record MessageCase(
    String name,
    List<Method> asked,
    String input,
    boolean closes,
    @Nullable Violation violation,
    List<String> yields,
    String left) {

  static MessageCase request(String name, String input, String... yields) {
    return new MessageCase(name, List.of(), input, false, null, List.of(yields), "");
  }

  static MessageCase response(String name, Method asked, String input, String... yields) {
    return new MessageCase(name, List.of(asked), input, false, null, List.of(yields), "");
  }

  static MessageCase badRequest(String name, Violation violation, String input) {
    return new MessageCase(name, List.of(), input, false, violation, List.of(), "");
  }

  static MessageCase badResponse(String name, Violation violation, String input) {
    return new MessageCase(name, List.of(Method.GET), input, false, violation, List.of(), "");
  }

  MessageCase thenClosed() {
    return new MessageCase(name, asked, input, true, violation, yields, left);
  }

  MessageCase leaves(String rest) {
    return new MessageCase(name, asked, input, closes, violation, yields, rest);
  }

  Conversation start(@Nullable HeadParser scratch) {
    if (asked.isEmpty()) {
      return scratch == null ? Conversation.server() : Conversation.server(scratch);
    }
    return Conversation.client(heddle.http.Limits.DEFAULTS, scratch, asked.toArray(new Method[0]));
  }
}
