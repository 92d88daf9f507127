package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The figures of the house hold for every source, and each rule can fail. */
final class SourceRulesTest {

  private static final List<SourceFile> SOURCES = SourceFile.ofRepository();

  @Test
  void theSourcesOfTheRepositoryAreFound() {
    assertTrue(SOURCES.size() > 50, () -> "found " + SOURCES.size() + " sources");
  }

  @Test
  void filesHaveAtMost800Lines() {
    assertAll(SourceRules::fileLength);
    assertEquals(1, SourceRules.fileLength(sample("// line\n".repeat(801))).size());
    assertEquals(0, SourceRules.fileLength(sample("// line\n".repeat(800))).size());
  }

  @Test
  void functionsAreShort() {
    assertAll(SourceRules::functionLength);
    String function = "class A {\n  void f() {\n" + "    g();\n".repeat(69) + "  }\n}\n";
    List<String> broken = SourceRules.functionLength(sample(function));
    assertEquals(
        List.of("heddle-http/src/main/java/heddle/http/A.java:2: f has 71 lines, at most 70"),
        broken);
    assertEquals(
        0,
        SourceRules.functionLength(sample(function.replaceFirst("    g\\(\\);\n", "")))
            .size());
  }

  @Test
  void linesFitTheColumns() {
    assertAll(SourceRules::lineLength);
    assertEquals(1, SourceRules.lineLength(sample("//" + "x".repeat(99))).size());
    assertEquals(0, SourceRules.lineLength(sample("//" + "x".repeat(98))).size());
  }

  @Test
  void namesTellWhatTheyAre() {
    assertAll(SourceRules::tellingNames);
    assertEquals(1, SourceRules.tellingNames(sample("class StringUtils {}")).size());
    assertEquals(1, SourceRules.tellingNames(sample("class Test7 {}")).size());
    assertEquals(1, SourceRules.tellingNames(sample("class Issue131Test {}")).size());
  }

  @Test
  void testsDoNotSleep() {
    assertAll(SourceRules::noSleepInTests);
    String sleepy = "class A { void f() throws Exception { Thread.sleep(10); } }";
    assertEquals(1, SourceRules.noSleepInTests(test(sleepy)).size());
    assertEquals(
        1,
        SourceRules.noSleepInTests(test(sleepy.replace("Thread", "TimeUnit.SECONDS")))
            .size());
    assertEquals(0, SourceRules.noSleepInTests(sample(sleepy)).size());
  }

  @Test
  void theEngineHasNoMonitors() {
    assertAll(SourceRules::noMonitorsInTheEngine);
    assertEquals(
        1,
        SourceRules.noMonitorsInTheEngine(sample("class A { synchronized void f() {} }"))
            .size());
    String block = "class A { void f() { synchronized (this) { } } }";
    assertEquals(1, SourceRules.noMonitorsInTheEngine(sample(block)).size());
    assertEquals(0, SourceRules.noMonitorsInTheEngine(test(block)).size());
  }

  @Test
  void adaptersMatchOnNoMessages() {
    assertAll(SourceRules::noMatchingOnMessages);
    for (String broken : List.of(
        "return e.getMessage().contains(\"in a head\");",
        "return String.valueOf(e.getMessage()).startsWith(\"in a head\");",
        "String said = e.getMessage(); return said.equals(\"in a head\");",
        "return e.problem().endsWith(\"a head\");")) {
      String text = "class A { boolean f(HttpException e) { %s } }".formatted(broken);
      assertEquals(1, SourceRules.noMatchingOnMessages(adapter(text)).size(), broken);
      assertEquals(0, SourceRules.noMatchingOnMessages(sample(text)).size(), broken);
    }
    String shown = "class A { void f(Exception e) { String s = e.getMessage(); g(s == null); } }";
    assertEquals(0, SourceRules.noMatchingOnMessages(adapter(shown)).size());
  }

  @Test
  void errorsAreReportedLast() {
    assertAll(SourceRules::errorsAreReportedLast);
    String late = "class A { void f() { try { g(); } catch (RuntimeException | Error e) {"
        + " SafeLog.log(e); giveUp(); return; } } }";
    assertEquals(1, SourceRules.errorsAreReportedLast(sample(late)).size());
    String inTime = late.replace("SafeLog.log(e); giveUp();", "giveUp(); SafeLog.log(e);");
    assertEquals(0, SourceRules.errorsAreReportedLast(sample(inTime)).size());
    String noError = late.replace(" | Error", "");
    assertEquals(0, SourceRules.errorsAreReportedLast(sample(noError)).size());
  }

  @Test
  void silencedWarningsSayWhy() {
    assertAll(SourceRules::suppressionsSayWhy);
    String silenced = "class A {\n  @SuppressWarnings(\"x\")\n  void f() {}\n}\n";
    assertEquals(1, SourceRules.suppressionsSayWhy(sample(silenced)).size());
    assertEquals(
        0,
        SourceRules.suppressionsSayWhy(sample(silenced.replace("\")", "\") // checked above")))
            .size());
    assertEquals(
        0,
        SourceRules.suppressionsSayWhy(sample(silenced.replace("  @", "  // checked above\n  @")))
            .size());
  }

  private static void assertAll(Function<SourceFile, List<String>> rule) {
    List<String> broken =
        SOURCES.stream().flatMap(file -> rule.apply(file).stream()).toList();
    assertTrue(broken.isEmpty(), () -> String.join("\n", broken));
  }

  private static SourceFile sample(String text) {
    return SourceFile.of("heddle-http/src/main/java/heddle/http/A.java", text);
  }

  private static SourceFile adapter(String text) {
    return SourceFile.of("heddle-adapters/heddle-a/src/main/java/heddle/adapters/a/A.java", text);
  }

  private static SourceFile test(String text) {
    return SourceFile.of("heddle-http/src/test/java/heddle/http/A.java", text);
  }
}
