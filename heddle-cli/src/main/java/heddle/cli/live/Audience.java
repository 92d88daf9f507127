package heddle.cli.live;

import heddle.load.LoadListener;
import heddle.load.LoadProgress;
import java.util.List;

/** Several listeners as one. */
public record Audience(List<LoadListener> all) implements LoadListener {

  @Override
  public void recording(Recorded recorded) {
    all.forEach(each -> each.recording(recorded));
  }

  @Override
  public void measuring() {
    all.forEach(LoadListener::measuring);
  }

  @Override
  public void progress(LoadProgress progress) {
    all.forEach(each -> each.progress(progress));
  }

  @Override
  public void measured() {
    all.forEach(LoadListener::measured);
  }
}
