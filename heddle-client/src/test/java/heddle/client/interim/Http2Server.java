package heddle.client.interim;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The server's side of an HTTP/2 connection; one request at a time. */
final class Http2Server implements Server {
  private static final Http2Head NOTHING = new Http2Head(0, false, List.of());

  private final Http2Peer peer;
  private Http2Head head = NOTHING;
  private Http2Head trailers = NOTHING;

  Http2Server(Http2Peer peer) {
    this.peer = peer;
  }

  @Override
  public void expectHead() throws IOException {
    head = peer.expectHeaders();
    trailers = NOTHING;
  }

  @Override
  public @Nullable String field(String name) {
    return head.value(name);
  }

  @Override
  public @Nullable String trailer(String name) {
    return trailers.value(name);
  }

  @Override
  public void expectNothingYet() throws IOException {
    peer.expectQuiet();
  }

  @Override
  public String expectContent() throws IOException {
    var content = new StringBuilder();
    while (true) {
      Frame frame = peer.expectFrame();
      if (frame instanceof Frame.Headers first) {
        trailers = peer.readHead(first);
        return content.toString();
      }
      Frame.Data data = (Frame.Data) frame;
      content.append(text(data));
      if (data.endStream()) {
        return content.toString();
      }
    }
  }

  private static String text(Frame.Data data) {
    return ISO_8859_1.decode(data.data().duplicate()).toString();
  }

  @Override
  public String expectContent(int bytes) throws IOException {
    var content = new StringBuilder();
    while (content.length() < bytes) {
      content.append(text(peer.expectData(head.streamId())));
    }
    assertEquals(bytes, content.length());
    return content.toString();
  }

  @Override
  public void inform(int status, String... fields) throws IOException {
    peer.send(informational(status, fields));
  }

  private Frame informational(int status, String... fields) {
    String[] all = Stream.concat(Stream.of(":status: " + status), Arrays.stream(fields))
        .toArray(String[]::new);
    return Http2Peer.headers(head.streamId(), false, all);
  }

  @Override
  public void answerHead(int status, int length, int... informational) throws IOException {
    Frame last = Http2Peer.headers(
        head.streamId(), length == 0, ":status: " + status, "content-length: " + length);
    peer.send(
        Stream.concat(IntStream.of(informational).mapToObj(this::informational), Stream.of(last))
            .toArray(Frame[]::new));
  }

  @Override
  public void send(String content, boolean last) throws IOException {
    if (!content.isEmpty()) {
      peer.sendData(head.streamId(), last, content);
    }
  }

  @Override
  public void answerWithTrailers(String content, String... trailers) throws IOException {
    peer.sendHeaders(head.streamId(), false, ":status: 200");
    peer.sendData(head.streamId(), false, content);
    peer.sendHeaders(head.streamId(), true, trailers);
  }

  @Override
  public void expectGivenUp() throws IOException {
    peer.expectRst(head.streamId(), ErrorCode.CANCEL);
  }

  @Override
  public void expectEnd() throws IOException {
    peer.expectGoAway(ErrorCode.NO_ERROR);
    peer.expectClosed();
  }

  @Override
  public void sleep(Duration time) throws IOException {
    peer.connection().sleep(time);
  }

  @Override
  public void reset() {
    peer.connection().reset();
  }
}
