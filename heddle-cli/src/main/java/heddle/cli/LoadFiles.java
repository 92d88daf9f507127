package heddle.cli;

import heddle.bench.load.LoadReport;
import heddle.bench.record.IntervalLog;
import heddle.bench.slo.Slo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that a load leaves: each whole, or as it was. */
final class LoadFiles implements AutoCloseable {

  private final List<OutputFile> open = new ArrayList<>();
  private @Nullable OutputFile json;
  private @Nullable OutputFile csv;
  private @Nullable IntervalLog log;

  private LoadFiles() {}

  /**
   * Opens those that are asked for.
   *
   * @throws IOException when one cannot be written to; the message names it, and none is open
   */
  static LoadFiles open(@Nullable Path json, @Nullable Path csv, @Nullable Path hdr)
      throws IOException {
    var files = new LoadFiles();
    boolean isOpen = false;
    try {
      files.json = json == null ? null : files.add(json);
      files.csv = csv == null ? null : files.add(csv);
      files.log = hdr == null ? null : new IntervalLog(files.add(hdr).stream());
      isOpen = true;
      return files;
    } finally {
      if (!isOpen) {
        files.close();
      }
    }
  }

  private OutputFile add(Path path) throws IOException {
    OutputFile file = OutputFile.open(path);
    open.add(file);
    return file;
  }

  @Nullable
  IntervalLog log() {
    return log;
  }

  /** Writes the report to all, and puts them in their places. */
  void write(Map<String, Object> target, LoadReport report, List<Slo.Verdict> goals)
      throws IOException {
    if (json != null) {
      LoadJson.write(target, report, goals, json.stream());
    }
    if (csv != null) {
      LoadCsv.write(report, csv.stream());
    }
    if (log != null) {
      log.close();
    }
    for (OutputFile file : open) {
      file.complete();
    }
  }

  @Override
  public void close() throws IOException {
    for (OutputFile file : open) {
      file.close();
    }
  }
}
