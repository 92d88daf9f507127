package heddle.cli;

import heddle.load.cluster.merge.LoadCsv;
import heddle.load.cluster.merge.LoadJson;
import heddle.load.cluster.merge.LoadResult;
import heddle.load.cluster.merge.LogMerge;
import heddle.load.goal.Slo;
import heddle.load.record.IntervalLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The output of a load: files, each written completely or not at all, and a text report. If the
 * JSON, on one line, or the interval log goes to standard output, the report goes to standard
 * error.
 */
final class LoadFiles implements AutoCloseable {

  private static final Path STANDARD_OUTPUT = Path.of("-");

  private final Terminal terminal;
  private final List<OutputFile> open = new ArrayList<>();
  private @Nullable OutputFile json;
  private boolean isJsonPrinted;
  private boolean isLogPrinted;
  private @Nullable OutputFile csv;
  private @Nullable OutputStream hdr;
  private @Nullable IntervalLog log;

  private LoadFiles(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Opens the requested files.
   *
   * @throws IOException if one cannot be written to; the message names it, and no file stays open
   */
  static LoadFiles open(
      Terminal terminal, @Nullable Path json, @Nullable Path csv, @Nullable Path hdr)
      throws IOException {
    var files = new LoadFiles(terminal);
    boolean isOpen = false;
    try {
      files.isJsonPrinted = STANDARD_OUTPUT.equals(json);
      files.json = json == null || files.isJsonPrinted ? null : files.add(json);
      files.csv = csv == null ? null : files.add(csv);
      files.hdr = hdr == null ? null : files.streamTo(hdr);
      files.log = files.hdr == null ? null : new IntervalLog(files.hdr);
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

  private OutputStream streamTo(Path path) throws IOException {
    isLogPrinted = STANDARD_OUTPUT.equals(path);
    return isLogPrinted ? terminal.out() : add(path).stream();
  }

  @Nullable
  IntervalLog log() {
    return log;
  }

  /** Writes a sum of logs instead of the log. */
  void writeLog(LogMerge logs) throws IOException {
    if (hdr != null) {
      logs.write(hdr);
    }
  }

  /** Writes the result to all files, and moves them into place. */
  void write(LoadResult result, List<Slo.Verdict> goals) throws IOException {
    if (json != null) {
      LoadJson.write(result, goals, json.stream());
    }
    if (csv != null) {
      LoadCsv.write(result.report(), csv.stream());
    }
    if (log != null) {
      log.close();
    }
    for (OutputFile file : open) {
      file.complete();
    }
    if (isJsonPrinted) {
      LoadJson.writeLine(result, goals, terminal.out());
      terminal.out().flush();
    }
  }

  /** Writes the text report. */
  void print(String text) throws IOException {
    if (isJsonPrinted || isLogPrinted) {
      terminal.err().print(text);
      terminal.err().flush();
    } else {
      terminal.print(text);
    }
  }

  @Override
  public void close() throws IOException {
    for (OutputFile file : open) {
      file.close();
    }
  }
}
