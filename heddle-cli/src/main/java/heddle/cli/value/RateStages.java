package heddle.cli.value;

import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 100@10s,100-500@30s}: 100 per second for 10 s, then in 30 s to 500 per second. */
public final class RateStages implements ITypeConverter<RateCurve> {

  private static final Pattern STAGE = Pattern.compile(
      "(?<from>\\d{1,7}(?:\\.\\d{1,6})?)(?:-(?<to>\\d{1,7}(?:\\.\\d{1,6})?))?@(?<time>.+)");

  @Override
  public RateCurve convert(String text) {
    List<Stage> stages = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher stage = STAGE.matcher(part.strip());
      if (!stage.matches()) {
        throw new TypeConversionException("'" + part
            + "' is not a stage: write RATE@TIME or FROM-TO@TIME, such as 100@10s,100-500@30s");
      }
      double from = Double.parseDouble(stage.group("from"));
      String to = stage.group("to");
      Duration time = new SpanConverter().convert(stage.group("time"));
      try {
        stages.add(new Stage(from, to == null ? from : Double.parseDouble(to), time));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + part + "': " + e.getMessage());
      }
    }
    try {
      return new RateCurve(stages);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "': " + e.getMessage());
    }
  }
}
