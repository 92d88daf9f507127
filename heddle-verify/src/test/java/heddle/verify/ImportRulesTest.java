package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The import rules hold for every class that Heddle ships, and each of them can fail. */
final class ImportRulesTest {

  private static final String SAMPLES = "heddle.verify.sample";

  /** Everything but the tests of this module, which are no part of the layers. */
  private static final JavaClasses HEDDLE = new ClassFileImporter()
      .withImportOption(location -> !location.contains("/heddle/verify/"))
      .importPackages("heddle");

  private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(SAMPLES);

  static Stream<ArchRule> rules() {
    var rules = new ImportRules("heddle");
    return Stream.of(
        rules.allowList(),
        rules.noCycles(),
        rules.codecIsSansIo(),
        rules.onlyTcpKnowsSockets(),
        rules.onlyTlsKnowsEngines(),
        rules.engineNeedsTheJdkAlone());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void everyClassKeeps(ArchRule rule) {
    rule.check(HEDDLE);
  }

  @Test
  void theClassesOfEveryEngineModuleAreLookedAt() {
    for (String module :
        new String[] {"http", "codec.http1", "transport.tcp", "connection", "client", "server"}) {
      assertTrue(
          HEDDLE.stream().anyMatch(type -> type.getPackageName().equals("heddle." + module)),
          () -> "no class of heddle." + module + " was found: the rules would hold for nothing");
    }
  }

  @Test
  void anImportUpwardsBreaksTheAllowList() {
    assertBroken(
        new ImportRules(SAMPLES).allowList(), "http may not import " + SAMPLES + ".client");
  }

  @Test
  void aPackageWithoutAPlaceBreaksTheAllowList() {
    assertBroken(
        new ImportRules(SAMPLES).allowList(), "HasNoPlace is in a package without a place");
  }

  @Test
  void anImportDownwardsKeepsTheAllowList() {
    String report = report(new ImportRules(SAMPLES).allowList());
    assertFalse(report.contains("client may not import " + SAMPLES + ".http"), report);
  }

  @Test
  void packagesThatKnowEachOtherBreakTheCycleRule() {
    assertBroken(new ImportRules(SAMPLES).noCycles(), "Cycle detected");
  }

  @Test
  void aClockInTheCodecBreaksSansIo() {
    assertBroken(new ImportRules(SAMPLES).codecIsSansIo(), "System.nanoTime()");
  }

  @Test
  void aSocketInTheCodecBreaksSansIo() {
    assertBroken(new ImportRules(SAMPLES).codecIsSansIo(), "SocketChannel");
  }

  @Test
  void aSocketOutsideTcpBreaksTheSocketRule() {
    assertBroken(new ImportRules(SAMPLES).onlyTcpKnowsSockets(), "OpensSockets");
  }

  @Test
  void anEngineOutsideTlsBreaksTheTlsRule() {
    assertBroken(new ImportRules(SAMPLES).onlyTlsKnowsEngines(), "MakesTlsEngines");
  }

  @Test
  void aLibraryInTheEngineBreaksTheDependencyRule() {
    assertBroken(new ImportRules(SAMPLES).engineNeedsTheJdkAlone(), "NeedsAnotherLibrary");
  }

  private static void assertBroken(ArchRule rule, String expected) {
    String report = report(rule);
    assertTrue(report.contains(expected), () -> "expected \"" + expected + "\" in: " + report);
  }

  private static String report(ArchRule rule) {
    EvaluationResult result = rule.evaluate(BROKEN);
    return result.getFailureReport().toString();
  }
}
