package heddle.cli.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * A line of a frame. If it is too long, whole parts are omitted, the least important first; only
 * parts that must stay are ever cut.
 */
final class Line {

  private static final String GAP = "   ";

  private final Look look;
  private final List<Part> parts = new ArrayList<>();

  /**
   * A part of the line.
   *
   * @param rank 0 if it must stay; the highest is omitted first
   */
  private record Part(int rank, AttributedString text) {}

  private Line(Look look) {
    this.look = look;
  }

  static Line of(Look look) {
    return new Line(look);
  }

  /** A line that begins with a name. */
  static Line about(String name, Look look) {
    return of(look).add(0, String.format("%-9s", name), look.faint());
  }

  Line add(int rank, String text) {
    return add(rank, text, look.plain());
  }

  Line add(int rank, String text, AttributedStyle style) {
    if (!text.isEmpty()) {
      parts.add(new Part(rank, new AttributedString(look.text(text), style)));
    }
    return this;
  }

  /** The parts that fit into this width. */
  AttributedString fit(int width) {
    List<Part> left = new ArrayList<>(parts);
    while (columns(left) > width) {
      Part least = left.reversed().stream()
          .max(Comparator.comparingInt(Part::rank))
          .filter(part -> part.rank() > 0)
          .orElse(null);
      if (least == null) {
        break;
      }
      left.remove(left.lastIndexOf(least));
    }
    AttributedStringBuilder line = new AttributedStringBuilder();
    for (Part part : left) {
      line.append(line.length() == 0 ? "" : GAP).append(part.text());
    }
    AttributedString whole = line.toAttributedString();
    return whole.columnLength() <= width ? whole : cut(whole, width);
  }

  private AttributedString cut(AttributedString whole, int width) {
    if (width < 2) {
      return whole.columnSubSequence(0, Math.max(0, width));
    }
    return new AttributedStringBuilder()
        .append(whole.columnSubSequence(0, width - 1))
        .append(look.text("…"))
        .toAttributedString();
  }

  private static int columns(List<Part> parts) {
    int columns = Math.max(0, parts.size() - 1) * GAP.length();
    for (Part part : parts) {
      columns += part.text().columnLength();
    }
    return columns;
  }
}
