package heddle.web.form;

import heddle.testwatch.FuzzContract;
import heddle.testwatch.FuzzTarget;

/** The fuzz targets of forms. */
final class FuzzTest implements FuzzContract {
  @Override
  public FuzzTarget[] targets() {
    return FormTarget.values();
  }
}
