package heddle.testkit;

import heddle.codec.http2.frame.ContinuationFrame;
import heddle.codec.http2.frame.DataFrame;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.GoAwayFrame;
import heddle.codec.http2.frame.HeadersFrame;
import heddle.codec.http2.frame.PingFrame;
import heddle.codec.http2.frame.PriorityFrame;
import heddle.codec.http2.frame.PriorityUpdateFrame;
import heddle.codec.http2.frame.PushPromiseFrame;
import heddle.codec.http2.frame.RstStreamFrame;
import heddle.codec.http2.frame.SettingsFrame;
import heddle.codec.http2.frame.UnknownFrame;
import heddle.codec.http2.frame.WindowUpdateFrame;
import java.util.stream.Collectors;

/** Frames in a line each, for the message of a failure. */
final class Http2Text {
  private Http2Text() {}

  static String of(Frame frame) {
    return switch (frame) {
      case DataFrame data ->
        on("DATA", data) + " " + data.data().remaining() + " bytes" + end(data.endStream());
      case HeadersFrame headers ->
        on("HEADERS", headers)
            + end(headers.endStream())
            + (headers.endHeaders() ? "" : ", to be continued");
      case ContinuationFrame more ->
        on("CONTINUATION", more) + (more.endHeaders() ? "" : ", to be continued");
      case PriorityFrame priority -> on("PRIORITY", priority);
      case RstStreamFrame reset -> on("RST_STREAM", reset) + " " + ErrorCode.describe(reset.code());
      case SettingsFrame settings -> settings.ack() ? "SETTINGS ACK" : "SETTINGS" + of(settings);
      case PushPromiseFrame promise ->
        on("PUSH_PROMISE", promise) + " of " + promise.promisedStreamId();
      case PingFrame ping ->
        (ping.ack() ? "PING ACK " : "PING ") + "0x" + Long.toHexString(ping.data());
      case GoAwayFrame goAway ->
        "GOAWAY " + ErrorCode.describe(goAway.code()) + ", last stream " + goAway.lastStreamId()
            + ", \"" + goAway.debugText() + "\"";
      case WindowUpdateFrame update -> on("WINDOW_UPDATE", update) + " by " + update.increment();
      case PriorityUpdateFrame update -> "PRIORITY_UPDATE about " + update.prioritizedStreamId();
      case UnknownFrame unknown -> on("type " + unknown.type(), unknown);
    };
  }

  private static String of(SettingsFrame settings) {
    return settings.parameters().stream()
        .map(each -> " " + each.id() + "=" + each.value())
        .collect(Collectors.joining());
  }

  private static String on(String type, Frame frame) {
    return type + " on " + frame.streamId();
  }

  private static String end(boolean endStream) {
    return endStream ? ", the last" : "";
  }
}
