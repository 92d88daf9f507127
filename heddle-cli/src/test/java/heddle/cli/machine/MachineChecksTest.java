package heddle.cli.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.cli.machine.Finding.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineChecksTest {

  private static final long MIB = 1 << 20;

  @Test
  void machineWithRoomForAllHasNothingToDo() throws IOException {
    MachineChecks checks = new MachineChecks(readings(20_000L, 4_096, 32_768));
    List<Finding> all = checks.all();
    assertEquals(14, all.size(), all::toString);
    for (Finding each : all) {
      assertEquals(Status.OK, each.status(), each::toString);
      assertEquals("", each.action(), each::toString);
    }
    checks.require(new Need(2_000, 16_000, true), warning -> {
      throw new AssertionError(warning);
    });
  }

  @Test
  void loadThatCannotHaveItsConnectionsIsRefusedWithTheNumbersAndWhatToDo() {
    MachineChecks checks = new MachineChecks(readings(80L, 4_096, 32_768));
    IOException thrown = assertThrows(
        IOException.class, () -> checks.require(new Need(64, 64, false), MachineChecksTest::fail));
    assertEquals(
        "open files 80: the limit is too low for 64 connections and the 30 files that the process"
            + " has open. To do: ulimit -n 1024",
        thrown.getMessage());
  }

  @Test
  void loadThatMayRunOutOfFilesIsWarned() throws IOException {
    assertEquals(
        List.of("warning: open files 120: the limit may be too low for 64 connections and some 100"
            + " files of the JVM. To do: ulimit -n 1024"),
        warnings(readings(120L, 4_096, 32_768), new Need(64, 64, false)));
  }

  @Test
  void loadWithMoreConnectionsThanPortsIsWarned() throws IOException {
    List<String> warnings =
        warnings(readings(100_000L, 4_096, 60_000), new Need(2_000, 2_000, false));
    assertEquals(1, warnings.size(), warnings::toString);
    String warning = warnings.getFirst();
    assertTrue(warning.startsWith("warning: local ports 1,000: too few for 2,000"), warning);
    assertTrue(warning.contains("ip_local_port_range=\"1024 65535\""), warning);
  }

  @Test
  void queueOfAServerMattersOnlyIfItIsHere() throws IOException {
    Readings readings = readings(20_000L, 128, 32_768);
    assertEquals(List.of(), warnings(readings, new Need(500, 500, false)));
    List<String> warnings = warnings(readings, new Need(500, 500, true));
    assertEquals(2, warnings.size(), warnings::toString);
    assertTrue(
        warnings.getFirst().contains("sysctl -w net.core.somaxconn=1024"), warnings::toString);
    assertEquals(List.of(), warnings(readings, new Need(100, 100, true)));
  }

  @Test
  void connectionsOfAllClientsCountForTheServer() throws IOException {
    List<String> warnings = warnings(readings(3_000L, 4_096, 32_768), new Need(500, 4_000, true));
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().contains("of the server 3,000"), warnings::toString);
    assertTrue(warnings.getFirst().endsWith("ulimit -n 8192"), warnings::toString);
  }

  @Test
  void smallAndBusyMachineIsToldWhatToDo() {
    Readings readings = new Readings(
        21, 64 * MIB, 1, 30L, 90L, 80L, 60_000, 60_999, 128, 128, 0, 7_200, 3.5, 0.2, Set.of());
    List<Finding> all = new MachineChecks(readings).all();
    List<String> fine = all.stream()
        .filter(each -> each.status() == Status.OK)
        .map(Finding::name)
        .toList();
    assertEquals(List.of("net.ipv4.tcp_keepalive_time", "wrk", "h2load", "nghttpd"), fine);
    List<String> problems = all.stream()
        .filter(each -> each.status() == Status.PROBLEM)
        .map(Finding::name)
        .toList();
    assertEquals(List.of("Java", "open files"), problems);
    all.stream()
        .filter(each -> each.status() != Status.OK)
        .forEach(each -> assertFalse(each.action().isEmpty(), each::toString));
    String text = FindingText.render(all);
    assertTrue(text.contains("problem  Java: 21\n"), text);
    assertTrue(text.contains("warning  net.core.somaxconn: 128\n"), text);
    assertTrue(text.contains("         To do: sysctl -w net.core.somaxconn=1024\n"), text);
    assertTrue(text.endsWith("\n2 problems, 8 warnings.\n"), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
  }

  @Test
  void platformThatTellsNothingIsNotJudged() throws IOException {
    Readings readings = new Readings(
        25, 512 * MIB, 2, null, null, null, null, null, null, null, null, null, -1, null, Set.of());
    assertEquals(List.of(), warnings(readings, new Need(100_000, 100_000, true)));
    List<Finding> all = new MachineChecks(readings).all();
    assertTrue(all.stream().allMatch(each -> each.status() == Status.OK), all::toString);
    assertTrue(FindingText.render(all).endsWith("\nNo problems found.\n"));
  }

  @Test
  void readingsAreThoseOfTheKernel() throws IOException {
    Path somaxconn = Path.of("/proc/sys/net/core/somaxconn");
    Path ports = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    assumeTrue(Files.isReadable(somaxconn) && Files.isReadable(ports));
    Readings readings = Readings.now();
    assertEquals(firstLine(somaxconn), String.valueOf(readings.somaxconn()));
    assertEquals(firstLine(ports), readings.firstPort() + "\t" + readings.lastPort());
  }

  private static String firstLine(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      return String.valueOf(reader.readLine());
    }
  }

  private static List<String> warnings(Readings readings, Need need) throws IOException {
    List<String> warnings = new ArrayList<>();
    new MachineChecks(readings).require(need, warnings::add);
    return warnings;
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, true",
    "a.localhost, true",
    "127.0.0.1, true",
    "127.8.8.8, true",
    "::1, true",
    "192.0.2.1, false",
    "2001:db8::1, false",
    "localhost.example, false",
  })
  void serverIsHereIfItsHostIsThatOfThisMachine(String host, boolean here) {
    assertEquals(here, Need.isLoopback(host));
  }

  private static void fail(String warning) {
    throw new AssertionError(warning);
  }

  private static Readings readings(@Nullable Long mostFiles, int queue, int firstPort) {
    return new Readings(
        25,
        512 * MIB,
        2,
        30L,
        mostFiles,
        mostFiles,
        firstPort,
        60_999,
        queue,
        queue,
        2,
        7_200,
        0.1,
        0.0,
        Set.of("wrk", "h2load"));
  }
}
