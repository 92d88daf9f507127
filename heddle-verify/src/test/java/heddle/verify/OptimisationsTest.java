package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whoever uses Heddle has all of its optimisations: what can be switched off for a benchmark is on,
 * and cannot be reached from anywhere else.
 */
final class OptimisationsTest {

  private static final JavaClasses HEDDLE =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("heddle");

  private static final List<JavaClass> CONSTANTS = named("Optimisations");
  private static final List<JavaClass> SWITCHES = named("Optimisations$Switches");

  private static List<JavaClass> named(String name) {
    return HEDDLE.stream().filter(type -> type.getName().endsWith("." + name)).toList();
  }

  @Test
  void everyOptimisationIsOn() throws Exception {
    assertFalse(CONSTANTS.isEmpty());
    for (JavaClass each : CONSTANTS) {
      for (Field constant : each.reflect().getDeclaredFields()) {
        constant.setAccessible(true);
        assertTrue(constant.getBoolean(null), () -> each.getName() + "." + constant.getName());
      }
    }
  }

  @Test
  void nobodyTouchesTheSwitchesButTheirConstants() {
    assertEquals(CONSTANTS.size(), SWITCHES.size());
    for (JavaClass each : SWITCHES) {
      String constants = each.getName().substring(0, each.getName().indexOf('$'));
      for (JavaFieldAccess access : each.getFieldAccessesToSelf()) {
        String by = access.getOriginOwner().getName();
        boolean reads = by.equals(constants) && access.getAccessType() == AccessType.GET;
        assertTrue(by.equals(each.getName()) || reads, access::getDescription);
      }
    }
  }

  @Test
  void noneOfThemIsSeenOutsideOfItsPackage() {
    for (List<JavaClass> some : List.of(CONSTANTS, SWITCHES)) {
      for (JavaClass each : some) {
        boolean open = each.getModifiers().contains(JavaModifier.PUBLIC)
            || each.getModifiers().contains(JavaModifier.PROTECTED);
        assertFalse(open, each::getName);
      }
    }
  }
}
