package heddle.bench.drivers.asynchttpclient;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver.Completion;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.HttpResponseBodyPart;
import org.asynchttpclient.HttpResponseStatus;

/** Counts the content of one answer and discards it. Belongs to one exchange. */
final class CountingHandler implements AsyncHandler<Answer> {

  private final Completion completion;
  private final boolean http2;
  private int status;
  private long bytes;

  CountingHandler(Completion completion, boolean http2) {
    this.completion = completion;
    this.http2 = http2;
  }

  @Override
  public State onStatusReceived(HttpResponseStatus line) throws IOException {
    if (http2 != line.getProtocolMajorVersion() >= 2) {
      throw new IOException("the answer came over " + line.getProtocolText());
    }
    status = line.getStatusCode();
    return State.CONTINUE;
  }

  @Override
  public State onHeadersReceived(HttpHeaders fields) {
    return State.CONTINUE;
  }

  @Override
  public State onBodyPartReceived(HttpResponseBodyPart piece) {
    bytes += piece.length();
    return State.CONTINUE;
  }

  @Override
  public void onThrowable(Throwable cause) {
    completion.failed(cause);
  }

  @Override
  public Answer onCompleted() {
    Answer answer = new Answer(status, bytes);
    completion.answered(answer);
    return answer;
  }
}
