package heddle.client.interim;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server's side of one connection, in the words that all versions of HTTP share. What it is told
 * to expect and does not hear fails the test.
 */
interface Server {
  /** What the server does on a connection. */
  @FunctionalInterface
  interface Talk {
    void by(Server server) throws Exception;
  }

  /** Reads the head of the next request. */
  void expectHead() throws IOException;

  /** The first of the fields with this name, in small letters, of that head; null without one. */
  @Nullable
  String field(String name);

  /** Nothing has come since what was read last. */
  void expectNothingYet() throws IOException;

  /** Reads the content to its end, and the trailers; answers the content. */
  String expectContent() throws IOException;

  /** Reads this many bytes of the content. */
  String expectContent(int bytes) throws IOException;

  /** The trailer of this name, in small letters; null without one. */
  @Nullable
  String trailer(String name);

  /** Sends an informational response with fields such as {@code link: </a.css>}. */
  void inform(int status, String... fields) throws IOException;

  /** Sends the final head of a response, and with it informational ones before it. */
  void answerHead(int status, int length, int... informational) throws IOException;

  void send(String content, boolean last) throws IOException;

  default void answer(int status, String content) throws IOException {
    answerHead(status, content.length());
    send(content, true);
  }

  /** A response whose content is followed by trailers such as {@code sum: 17}. */
  void answerWithTrailers(String content, String... trailers) throws IOException;

  /** The client will send no more of the request: says so, and has not said anything else. */
  void expectGivenUp() throws IOException;

  /** The client says nothing more until it closes the connection. */
  void expectEnd() throws IOException;

  /** Lets time pass. */
  void sleep(Duration time) throws IOException;

  /** Breaks the connection. */
  void reset();
}
