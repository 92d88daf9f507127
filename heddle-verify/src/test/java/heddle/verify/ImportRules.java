package heddle.verify;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Optional;
import java.util.Set;

/**
 * Rules over the compiled classes below one root package: {@code heddle}, or the root of the
 * samples that break them.
 */
record ImportRules(String root) {

  private static final Set<String> CODEC_MAY_NAME = Set.of(
      "java.net.URI",
      "java.io.IOException",
      "java.io.UncheckedIOException",
      "java.io.Serializable");

  private static final Set<String> CLOCKS_AND_CHANCE = Set.of(
      "java.lang.Thread",
      "java.lang.System$Logger",
      "java.time.Clock",
      "java.util.Random",
      "java.util.Timer",
      "java.security.SecureRandom");

  private static final Set<String> ASKS_THE_TIME =
      Set.of("java.lang.System.nanoTime", "java.lang.System.currentTimeMillis");

  /** Files have channels too, and what a closed channel throws is for everybody. */
  private static final Set<String> SOCKETS = Set.of(
      "java.net.Socket",
      "java.net.ServerSocket",
      "java.net.DatagramSocket",
      "java.nio.channels.SocketChannel",
      "java.nio.channels.ServerSocketChannel",
      "java.nio.channels.DatagramChannel",
      "java.nio.channels.AsynchronousSocketChannel",
      "java.nio.channels.SelectableChannel",
      "java.nio.channels.SelectionKey",
      "java.nio.channels.Selector");

  /** Each package imports what {@link Layers} allows it, and every package stands there. */
  ArchRule allowList() {
    return classes()
        .should(new ArchCondition<JavaClass>("import only what its package is allowed to") {
          @Override
          public void check(JavaClass from, ConditionEvents events) {
            checkImports(from, events);
          }
        });
  }

  private void checkImports(JavaClass from, ConditionEvents events) {
    String name = relative(from.getPackageName());
    Optional<Set<String>> allowed = allowedFor(name);
    if (allowed.isEmpty()) {
      violate(events, from, from.getName() + " is in a package without a place in Layers");
      return;
    }
    for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
      String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
      if (isOurs(to) && !isOneOf(place(relative(to)), place(name), allowed.get())) {
        violate(events, from, name + " may not import " + to + ": " + dependency.getDescription());
      }
    }
  }

  private static Optional<Set<String>> allowedFor(String name) {
    Set<String> engine = Layers.ENGINE.get(name);
    return Optional.ofNullable(engine != null ? engine : Layers.AROUND.get(place(name)));
  }

  /** An engine package stands for itself, another one for the module it is in. */
  private static String place(String name) {
    return Layers.ENGINE.containsKey(name) ? name : name.replaceFirst("[.].*", "");
  }

  private static boolean isOneOf(String to, String own, Set<String> allowed) {
    return to.equals(own) || allowed.contains(to);
  }

  ArchRule noCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles().allowEmptyShould(true);
  }

  /** The protocols are bytes in and events out: no socket, thread, clock, chance or log. */
  ArchRule codecIsSansIo() {
    return classes()
        .that()
        .resideInAPackage(root + ".codec..")
        .should(
            new ArchCondition<JavaClass>("know no socket, thread, stream, clock, chance or log") {
              @Override
              public void check(JavaClass from, ConditionEvents events) {
                for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                  if (isWorldly(dependency.getTargetClass().getBaseComponentType())) {
                    violate(events, from, dependency.getDescription());
                  }
                }
                for (JavaMethodCall call : from.getMethodCallsFromSelf()) {
                  if (asksTheTimeOrChance(call)) {
                    violate(events, from, call.getDescription());
                  }
                }
              }
            });
  }

  private static boolean isWorldly(JavaClass type) {
    String name = type.getName();
    if (CODEC_MAY_NAME.contains(name)) {
      return false;
    }
    return CLOCKS_AND_CHANCE.contains(name)
        || type.getPackageName().equals("java.io")
        || type.getPackageName().startsWith("java.net")
        || type.getPackageName().startsWith("java.nio.channels")
        || type.getPackageName().startsWith("java.nio.file")
        || type.getPackageName().startsWith("java.util.concurrent")
        || type.getPackageName().startsWith("java.util.random")
        || type.getPackageName().startsWith("java.util.logging");
  }

  private static boolean asksTheTimeOrChance(JavaMethodCall call) {
    String owner = call.getTargetOwner().getName();
    return ASKS_THE_TIME.contains(owner + "." + call.getName())
        || (owner.startsWith("java.time.") && call.getName().equals("now"))
        || (owner.equals("java.lang.Math") && call.getName().equals("random"));
  }

  /**
   * Sockets and selectors belong to {@code transport.tcp}. Trust and key managers have to name a
   * socket in methods that they inherit.
   */
  ArchRule onlyTcpKnowsSockets() {
    return noClasses()
        .that(engineOutside("transport.tcp"))
        .and()
        .areNotAssignableTo("javax.net.ssl.X509ExtendedTrustManager")
        .and()
        .areNotAssignableTo("javax.net.ssl.X509ExtendedKeyManager")
        .should()
        .dependOnClassesThat(named("are sockets or selectors", SOCKETS));
  }

  /** TLS engines belong to {@code transport.tls}. */
  ArchRule onlyTlsKnowsEngines() {
    return noClasses()
        .that(engineOutside("transport.tls"))
        .should()
        .dependOnClassesThat(named("are TLS engines", Set.of("javax.net.ssl.SSLEngine")));
  }

  /** The engine needs the JDK and JSpecify's annotations, nothing else. */
  ArchRule engineNeedsTheJdkAlone() {
    return classes()
        .that(engineOutside(""))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            root + "..", "java..", "javax..", "jdk.jfr..", "jdk.net..", "org.jspecify..", "");
  }

  private DescribedPredicate<JavaClass> engineOutside(String exempt) {
    return DescribedPredicate.describe(
        "are in the engine" + (exempt.isEmpty() ? "" : " outside " + exempt),
        type -> isOurs(type.getPackageName())
            && Layers.ENGINE.containsKey(relative(type.getPackageName()))
            && !relative(type.getPackageName()).equals(exempt));
  }

  private static DescribedPredicate<JavaClass> named(String description, Set<String> names) {
    return DescribedPredicate.describe(description, type -> names.contains(type.getName()));
  }

  private boolean isOurs(String packageName) {
    return packageName.startsWith(root + ".");
  }

  private String relative(String packageName) {
    return isOurs(packageName) ? packageName.substring(root.length() + 1) : packageName;
  }

  private static void violate(ConditionEvents events, JavaClass from, String what) {
    events.add(SimpleConditionEvent.violated(from, what));
  }
}
