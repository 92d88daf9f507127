package heddle.cli.live;

import heddle.load.Extent;
import heddle.load.LoadShape;
import heddle.load.Pace;
import java.util.Locale;

/**
 * The description of a load.
 *
 * @param target such as {@code GET http://127.0.0.1:8080/hello}
 * @param protocol such as {@code HTTP/2}
 * @param shape the load without its target
 */
public record LoadTitle(String target, String protocol, LoadShape shape) {

  /** Such as {@code 64 callers}. */
  String pace() {
    return switch (shape.pace()) {
      case Pace.Closed(int callers, var think) ->
        callers
            + (callers == 1 ? " caller" : " callers")
            + (think.isNone()
                ? ""
                : ", thinking " + Amounts.latency(think.mean().toNanos() / 1e3));
      case Pace.Open open ->
        (open.rate().isConstant() ? "" : "up to ")
            + Amounts.rate(open.rate().peak())
            + (open.arrivals() == Pace.Arrivals.CONSTANT
                ? ""
                : " " + open.arrivals().name().toLowerCase(Locale.ROOT));
      case Pace.Batch(int size) -> "batches of " + Amounts.count(size);
      case Pace.Held(int count) -> Amounts.count(count) + " held";
    };
  }

  /** Such as {@code 30 s}. */
  String extent() {
    return switch (shape.extent()) {
      case Extent.Requests(long count) -> Amounts.count(count) + " requests";
      case Extent.Lasting(var time) -> Amounts.span(time);
    };
  }
}
