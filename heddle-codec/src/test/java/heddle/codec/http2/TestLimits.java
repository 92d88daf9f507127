package heddle.codec.http2;

import heddle.codec.http2.Http2Limits.Floods;
import java.util.function.Consumer;

/** Limits that differ from others in some components. */
final class TestLimits {
  private TestLimits() {}

  static Http2Limits withMaxStreams(Http2Limits from, int streams) {
    return with(from, builder -> builder.maxStreams = streams);
  }

  static Http2Limits withHeads(
      Http2Limits from, int listBytes, int fields, int blockBytes, int continuations) {
    return with(from, builder -> {
      builder.maxHeaderListBytes = listBytes;
      builder.maxFields = fields;
      builder.maxHeaderBlockBytes = blockBytes;
      builder.maxContinuations = continuations;
    });
  }

  static Http2Limits withMaxOpenHeadBytes(Http2Limits from, int bytes) {
    return with(from, builder -> builder.maxOpenHeadBytes = bytes);
  }

  static Http2Limits withWindows(Http2Limits from, int atFirst, int atMost) {
    return with(from, builder -> {
      builder.streamWindow = atFirst;
      builder.maxStreamWindow = atMost;
    });
  }

  static Http2Limits withFloods(Http2Limits from, Floods floods, int queuedControlFrames) {
    return with(from, builder -> {
      builder.floods = floods;
      builder.maxQueuedControlFrames = queuedControlFrames;
    });
  }

  static Http2Limits withMaxQueuedBytes(Http2Limits from, int bytes) {
    return with(from, builder -> builder.maxQueuedBytes = bytes);
  }

  static Http2Limits withExtendedConnect(Http2Limits from) {
    return with(from, builder -> builder.extendedConnect = true);
  }

  private static Http2Limits with(Http2Limits from, Consumer<Builder> change) {
    Builder builder = new Builder(from);
    change.accept(builder);
    return builder.build();
  }

  /** The components, to change some of them. */
  private static final class Builder {
    private int maxStreams;
    private int headerTableBytes;
    private int maxHeaderListBytes;
    private int maxFields;
    private int maxHeaderBlockBytes;
    private int maxContinuations;
    private int maxInterimResponses;
    private int maxFrameBytes;
    private int streamWindow;
    private int maxStreamWindow;
    private int maxOpenHeadBytes;
    private int maxQueuedControlFrames;
    private int maxQueuedBytes;
    private boolean extendedConnect;
    private Floods floods;

    Builder(Http2Limits from) {
      maxStreams = from.maxStreams();
      headerTableBytes = from.headerTableBytes();
      maxHeaderListBytes = from.maxHeaderListBytes();
      maxFields = from.maxFields();
      maxHeaderBlockBytes = from.maxHeaderBlockBytes();
      maxContinuations = from.maxContinuations();
      maxInterimResponses = from.maxInterimResponses();
      maxFrameBytes = from.maxFrameBytes();
      streamWindow = from.streamWindow();
      maxStreamWindow = from.maxStreamWindow();
      maxOpenHeadBytes = from.maxOpenHeadBytes();
      maxQueuedControlFrames = from.maxQueuedControlFrames();
      maxQueuedBytes = from.maxQueuedBytes();
      extendedConnect = from.extendedConnect();
      floods = from.floods();
    }

    Http2Limits build() {
      return new Http2Limits(
          maxStreams,
          headerTableBytes,
          maxHeaderListBytes,
          maxFields,
          maxHeaderBlockBytes,
          maxContinuations,
          maxInterimResponses,
          maxFrameBytes,
          streamWindow,
          maxStreamWindow,
          maxOpenHeadBytes,
          maxQueuedControlFrames,
          maxQueuedBytes,
          extendedConnect,
          floods);
    }
  }
}
