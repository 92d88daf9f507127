package heddle.har;

import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallSummary;
import heddle.har.RecordedBody.End;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call that is being recorded. Its exchanges are written one by one: each when the next begins,
 * and the last when both the call and its content are over. Thread-safe: the call's thread, the one
 * that reads the content, and the one that closes the recorder may differ.
 */
final class RecordedCall {
  private final HarRecorder recorder;
  private final Request request;

  /** The content of the request as it is sent; null if it is in memory, or there is none. */
  private final @Nullable Capture sentContent;

  private final ReentrantLock lock = new ReentrantLock();

  // ---- guarded by the lock

  private RecordedAttempt exchange;

  /** Whether a listener has reported the exchange as an attempt. */
  private boolean attempted;

  private boolean callOver;
  private boolean contentOver;
  private boolean done;
  private long transferred = Har.UNKNOWN;

  /** Null before there is a response with content. */
  private @Nullable Capture content;

  private @Nullable End contentEnd;

  /** Finds out that the content is garbage; reachable from here as long as it may be. */
  private @Nullable Unread unread;

  /** A content that the caller has neither read to its end nor closed. */
  static final class Unread extends WeakReference<RecordedBody> {
    private final RecordedCall recording;

    Unread(RecordedBody body, RecordedCall recording, ReferenceQueue<RecordedBody> queue) {
      super(body, queue);
      this.recording = recording;
    }

    void forget() {
      recording.abandon("the response was neither read to its end nor closed");
    }
  }

  RecordedCall(HarRecorder recorder, Request request) {
    this.recorder = recorder;
    this.request = recorder.noting(request);
    this.sentContent = this.request.body() instanceof RecordedBody body ? body.capture() : null;
    this.exchange = new RecordedAttempt(this.request, sentContent);
  }

  /** The caller's request, whose content is noted while it is sent. */
  Request request() {
    return request;
  }

  void attemptStarted(AttemptInfo attempt) {
    Har.Entry before = null;
    lock.lock();
    try {
      if (attempted && !done) {
        before = entry(ReceivedContent.none(
            exchange.status == null
                ? null
                : "not recorded: the call went on with another request"));
      }
      attempted = true;
      exchange = new RecordedAttempt(attempt.request(), sentContent);
    } finally {
      lock.unlock();
    }
    write(before);
  }

  /** Notes something about the current attempt. */
  void note(Consumer<RecordedAttempt> what) {
    lock.lock();
    try {
      what.accept(exchange);
    } finally {
      lock.unlock();
    }
  }

  /** The call has failed, or one of its steps has. */
  void failed(Throwable failure) {
    lock.lock();
    try {
      exchange.failure = failure;
    } finally {
      lock.unlock();
    }
    finish(null);
  }

  /** The response to be returned instead, whose content is recorded while it is read. */
  Response answered(Response response, ReferenceQueue<RecordedBody> queue) {
    Body body = response.body();
    Har.Entry before = null;
    Response returned = response;
    lock.lock();
    try {
      if (!attempted || !Objects.equals(exchange.status, response.status())) {
        before = attempted ? entry(ReceivedContent.none("not recorded: a step answered")) : null;
        exchange = RecordedAttempt.ofStep(
            attempted ? new RecordedAttempt(request, sentContent) : exchange, response);
        callOver = true;
      }
      if (body.length() == 0) {
        contentOver = true;
        contentEnd = End.READ;
      } else {
        Capture capture = recorder.capture();
        RecordedBody recorded = new RecordedBody(body, capture, this::contentEnded);
        content = capture;
        unread = new Unread(recorded, this, queue);
        returned = response.withBody(recorded);
      }
    } finally {
      lock.unlock();
    }
    write(before);
    finishIfOver();
    return returned;
  }

  private void contentEnded(End how, @Nullable Throwable failure) {
    lock.lock();
    try {
      if (contentOver) {
        return;
      }
      contentOver = true;
      contentEnd = how;
      if (failure != null) {
        exchange.failure = failure;
      }
    } finally {
      lock.unlock();
    }
    finishIfOver();
  }

  void callEnded(CallSummary summary) {
    Throwable failure = summary.failure();
    lock.lock();
    try {
      callOver = true;
      transferred = summary.contentReceived();
      if (failure != null && !done) {
        exchange.failure = failure;
      }
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      finish(null);
    } else {
      finishIfOver();
    }
  }

  private void finishIfOver() {
    lock.lock();
    try {
      if (!callOver || !contentOver) {
        return;
      }
    } finally {
      lock.unlock();
    }
    finish(null);
  }

  /** Writes what is known, since no more will be. */
  void abandon(String reason) {
    finish(reason);
  }

  private void finish(@Nullable String reason) {
    Har.Entry last = null;
    lock.lock();
    try {
      if (!done) {
        done = true;
        if (reason != null && exchange.status == null && exchange.failure == null) {
          exchange.failure = new IOException(reason);
        }
        exchange.ended();
        last = entry(received(reason));
        if (content != null) {
          content.release();
        }
        if (sentContent != null) {
          sentContent.release();
        }
        if (unread != null) {
          unread.clear();
        }
      }
    } finally {
      lock.unlock();
    }
    recorder.over(this);
    write(last);
  }

  private ReceivedContent received(@Nullable String reason) {
    Capture capture = content;
    if (capture == null) {
      return new ReceivedContent(null, 0, transferred, true, reason);
    }
    long length = capture.length();
    if (contentEnd == End.DISCARDED) {
      return new ReceivedContent(
          null, Math.max(length, transferred), transferred, false, "discarded");
    }
    byte[] octets = length > recorder.maxContentBytes() ? null : capture.beginning();
    String comment = reason;
    if (octets == null) {
      comment = recorder.leftOut(length);
    } else if (contentEnd == End.CLOSED) {
      comment = "closed after " + length + " bytes";
    }
    boolean whole = contentEnd == End.READ || exchange.failure != null;
    return new ReceivedContent(octets, length, transferred, whole, comment);
  }

  private Har.Entry entry(ReceivedContent received) {
    return recorder.entry(exchange, received);
  }

  private void write(Har.@Nullable Entry entry) {
    if (entry != null) {
      recorder.write(entry);
    }
  }
}
