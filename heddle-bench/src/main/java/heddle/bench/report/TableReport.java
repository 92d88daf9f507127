package heddle.bench.report;

import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The result of a race as text. */
public final class TableReport {

  /** Below this share, the time of the compilers is within the noise. */
  private static final double NOTABLE_SHARE = 0.05;

  private TableReport() {}

  /**
   * Renders a table for each cell, grouped by protocol, with the ratio to Heddle behind each
   * figure; below them failures, omissions, and how it was measured. Ends with a line break.
   */
  public static String render(RaceResult result) {
    StringBuilder out = new StringBuilder();
    if (result.isPartial()) {
      out.append("PARTIAL: the race was stopped before its end; the figures are those of runs")
          .append(" that had ended by then.\n\n");
    }
    String group = "";
    for (CellView cell : CellView.of(result)) {
      if (!cell.info().group().equals(group)) {
        group = cell.info().group();
        out.append("== ").append(group).append(" ==\n\n");
      }
      out.append(cell.name()).append(": ").append(cell.description()).append('\n');
      table(out, cell);
      String server = result.uncounted(cell.info());
      if (server != null) {
        out.append("no second count: ").append(server).append('\n');
      }
      append(out, "", VerdictLines.of(cell));
      cell.measurements().forEach(each -> append(out, "", FailureLines.of(each)));
      out.append('\n');
    }
    append(out, "failed: ", result.failures());
    append(out, "left out: ", result.omissions());
    append(out, "note: ", warnings(result));
    append(out, "not to be trusted: ", result.doubts());
    append(out, "", kinds(result));
    append(out, "", notes(result));
    return out.toString();
  }

  private static void append(StringBuilder out, String prefix, List<String> lines) {
    lines.forEach(line -> out.append(prefix).append(line).append('\n'));
  }

  /** Clients that were not quite warm, one line per cell. */
  static List<String> warnings(RaceResult result) {
    List<String> warnings = new ArrayList<>();
    for (CellView cell : CellView.of(result)) {
      List<String> late = new ArrayList<>();
      for (Measurement each : cell.measurements()) {
        Double share = each.of(Figure.COMPILING);
        if (share != null && share > NOTABLE_SHARE) {
          late.add("%s %.0f%%".formatted(each.client(), 100 * share));
        }
      }
      if (!late.isEmpty()) {
        warnings.add("still compiling while measured in "
            + cell.name()
            + ", share of the CPU time: "
            + String.join(", ", late));
      }
    }
    return warnings;
  }

  /** Explains the columns of the kinds of load in the race, one sentence per line. */
  private static List<String> kinds(RaceResult result) {
    return result.results().stream()
        .map(each -> each.cell().kind())
        .distinct()
        .sorted()
        .map(TableReport::meaning)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  private static String meaning(LoadKind kind) {
    return switch (kind) {
      case CLOSED -> "";
      case FIRST ->
        "First requests: a JVM for each, from its start to the end of the first answer.";
      case SERVED ->
        "Servers are compared: all figures but the latency are the server's; × is the ratio to the"
            + " first one.";
      case OPEN ->
        "Open load: latency counts from the intended start of a request; lag is the 99th percentile"
            + " of how late requests were sent.";
      case BATCH ->
        "Batches: latency counts from the beginning of the batch; req/s are answers over the whole"
            + " time, handed/s hand-overs over the time of handing over only, which is not a"
            + " throughput but was once published as one.";
      case HELD ->
        "Held: one request each; CPU and allocation are for each request held, heap"
            + " B/held is the growth of the live set from before until the time is up.";
    };
  }

  /** Describes how it was measured, one sentence per line. */
  private static List<String> notes(RaceResult result) {
    List<String> notes = new ArrayList<>();
    Environment environment = result.environment();
    Design design = environment.design();
    notes.add("Method "
        + design.method().description()
        + "; medians over "
        + rounds(result)
        + " in an order drawn with seed "
        + design.seed()
        + "; × is the ratio to "
        + design.baseline()
        + (design.hasControl() ? ", and " + design.control() + " is that again" : "")
        + "; profile "
        + design.profile()
        + ".");
    notes.add("Blocking clients run on virtual threads unless their name says otherwise (@thread,"
        + " @pool:N), and read large content a piece at a time; apache-async and netty (bare"
        + " codec) are asynchronous and, as heddle-discard, wrk and h2load (C), discard it as it"
        + " arrives.");
    notes.add("kept: throughput while one more caller reads 64 MiB slowly over the same connection,"
        + " against that without it.");
    notes.add("conns: connections open at the end, ! if they are not those of the cell.");
    environment
        .servers()
        .forEach((group, server) -> notes.add(group + " is served by " + server + "."));
    notes.add(
        "heap: sum of the pools' peaks, garbage included; live: highest use after a collection;"
            + " threads: platform threads, the JVM's own included.");
    notes.add(environment.jdk()
        + ", "
        + environment.os()
        + ", "
        + environment.cpu()
        + ", "
        + environment.cores()
        + " cores, "
        + String.join(" ", environment.jvmFlags()));
    notes.add(
        environment.clientCores().isEmpty()
            ? "Server and clients share all cores: nothing was pinned."
            : "Server pinned to core "
                + environment.serverCores()
                + ", clients to core "
                + environment.clientCores()
                + ".");
    return notes;
  }

  /** Such as {@code 1 to 5 rounds}: cells without a verdict get more, others only one. */
  private static String rounds(RaceResult result) {
    int[] runs = result.results().stream()
        .mapToInt(each -> each.runs().size())
        .sorted()
        .distinct()
        .toArray();
    return switch (runs.length) {
      case 0 -> "no rounds";
      case 1 -> runs[0] + (runs[0] == 1 ? " round" : " rounds");
      default -> runs[0] + " to " + runs[runs.length - 1] + " rounds";
    };
  }

  private static void table(StringBuilder out, CellView cell) {
    List<List<String>> rows = new ArrayList<>();
    List<Metric> metrics = cell.metrics();
    List<String> head = new ArrayList<>(List.of("client"));
    for (Metric metric : metrics) {
      head.add(metric.heading());
      head.add("");
    }
    head.add("conns");
    head.add("");
    head.add("errors");
    rows.add(head);
    for (Measurement each : cell.measurements()) {
      List<String> row = new ArrayList<>(List.of(each.client()));
      for (Metric metric : metrics) {
        row.add(metric.show(each));
        row.add(each.equals(cell.reference()) ? "" : metric.ratio(each, cell.reference()));
      }
      row.add(CellView.connections(each));
      row.add("");
      row.add(errors(each));
      rows.add(row);
    }
    align(out, rows);
  }

  /** The number of failed requests, and why they failed. */
  static String errors(Measurement measurement) {
    if (measurement.errors() == 0) {
      return "0";
    }
    return measurement.errors()
        + measurement.errorsByCause().entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", ", " (", ")"));
  }

  private static void align(StringBuilder out, List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String text = row.get(i);
        String gap = " ".repeat(widths[i] - text.length());
        boolean isLast = i == columns - 1;
        boolean isRatio = i % 2 == 0 && i > 0;
        line.append(i == 0 ? "" : isRatio ? " " : "  ");
        line.append(i == 0 || isLast ? text + gap : gap + text);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }
}
