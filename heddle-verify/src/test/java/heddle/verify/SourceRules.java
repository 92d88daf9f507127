package heddle.verify;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/**
 * Rules over the text and the syntax of the sources. Each returns what breaks it, a line for each
 * place, and nothing when all is well.
 */
final class SourceRules {

  static final int MOST_LINES_OF_A_FILE = 800;
  static final int MOST_LINES_OF_A_FUNCTION = 70;
  static final int COLUMNS = 100;

  /** Tests that may sleep, each with the reason. */
  static final Map<String, String> MAY_SLEEP = Map.of(
      "heddle-client/src/test/java/heddle/client/StoppedProcessTest.java",
      "a process is stopped for longer than its calls may wait",
      "heddle-bench/src/test/java/heddle/bench/worker/LoadRunnerTest.java",
      "a server that stalls for as long as the load's schedule goes on without it");

  /** Generated tables: exempt from all figures. */
  static final Set<String> GENERATED_TABLES = Set.of();

  /** The modules that {@code synchronized} has no place in: a virtual thread may park there. */
  static final Set<String> ENGINE_MODULES = Set.of(
      "heddle-http",
      "heddle-codec",
      "heddle-transport",
      "heddle-connection",
      "heddle-client",
      "heddle-server");

  private static final Set<Tree.Kind> JUMPS =
      Set.of(Tree.Kind.RETURN, Tree.Kind.THROW, Tree.Kind.CONTINUE, Tree.Kind.BREAK);

  /** A call that returns a failure's message or a part of it. */
  private static final Pattern MESSAGE =
      Pattern.compile("\\b(getMessage|getLocalizedMessage|problem)[(][)]");

  private static final Set<String> MATCHING = Set.of(
      "contains",
      "endsWith",
      "equals",
      "equalsIgnoreCase",
      "indexOf",
      "matches",
      "regionMatches",
      "startsWith");

  private SourceRules() {}

  static List<String> fileLength(SourceFile file) {
    int lines = file.lines().size();
    if (lines <= MOST_LINES_OF_A_FILE || GENERATED_TABLES.contains(file.path())) {
      return List.of();
    }
    return List.of(
        file.path() + " has " + lines + " lines, at most " + MOST_LINES_OF_A_FILE + ": split it");
  }

  static List<String> functionLength(SourceFile file) {
    var broken = new ArrayList<String>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        long start = file.positions().getStartPosition(file.tree(), method);
        long end = file.positions().getEndPosition(file.tree(), method);
        int lines = end < 0 ? 0 : file.lineAt(end) - file.lineAt(start) + 1;
        if (lines > MOST_LINES_OF_A_FUNCTION) {
          broken.add("%s:%d: %s has %d lines, at most %d"
              .formatted(
                  file.path(),
                  file.lineAt(start),
                  method.getName(),
                  lines,
                  MOST_LINES_OF_A_FUNCTION));
        }
        return super.visitMethod(method, null);
      }
    }.scan(file.tree(), null);
    return broken;
  }

  /** Import lines cannot be broken, so they are exempt. */
  static List<String> lineLength(SourceFile file) {
    var broken = new ArrayList<String>();
    List<String> lines = file.lines();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.length() > COLUMNS && !line.startsWith("import ")) {
        broken.add(file.path() + ":" + (i + 1) + ": " + line.length() + " columns");
      }
    }
    return broken;
  }

  /** Names that say nothing: {@code ...Utils}, and tests that count instead of telling. */
  static List<String> tellingNames(SourceFile file) {
    var broken = new ArrayList<String>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree type, Void unused) {
        String name = type.getSimpleName().toString();
        if (name.matches(".*Utils?|Test\\d+|(Issue|Bug)\\d+.*")) {
          broken.add(file.path() + ": " + name + " does not tell what it is");
        }
        return super.visitClass(type, null);
      }
    }.scan(file.tree(), null);
    return broken;
  }

  /** A test that sleeps is slow when it is right and wrong when the machine is slow. */
  static List<String> noSleepInTests(SourceFile file) {
    if (!file.isTest() || MAY_SLEEP.containsKey(file.path())) {
      return List.of();
    }
    var broken = new ArrayList<String>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
        if (call.getMethodSelect().toString().matches("(.*[.])?(Thread|TimeUnit[.]\\w+)[.]sleep")) {
          broken.add(at(file, file.positions().getStartPosition(file.tree(), call)) + "sleeps");
        }
        return super.visitMethodInvocation(call, null);
      }
    }.scan(file.tree(), null);
    return broken;
  }

  private static boolean isOfTheEngine(SourceFile file) {
    return !file.isTest()
        && ENGINE_MODULES.stream().anyMatch(module -> file.path().startsWith(module + "/"));
  }

  /**
   * Where an error is caught, memory may have run out, and then a log call can fail that runs for
   * the first time: even its text has yet to be made. So what has to be done is done before.
   */
  static List<String> errorsAreReportedLast(SourceFile file) {
    if (!isOfTheEngine(file)) {
      return List.of();
    }
    var broken = new ArrayList<String>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitCatch(CatchTree block, Void unused) {
        if (block.getParameter().getType().toString().matches(".*(Error|Throwable).*")) {
          boolean reported = false;
          for (StatementTree statement : block.getBlock().getStatements()) {
            if (reported && !JUMPS.contains(statement.getKind())) {
              long position = file.positions().getStartPosition(file.tree(), statement);
              broken.add(at(file, position) + "is done only after the error is logged");
            }
            reported |= statement.toString().matches("(?s)(SafeLog|LOG|PEERS)[.]log[(].*");
          }
        }
        return super.visitCatch(block, null);
      }
    }.scan(file.tree(), null);
    return broken;
  }

  /** Adapters recognise failures by type and attributes: messages may change. */
  static List<String> noMatchingOnMessages(SourceFile file) {
    if (file.isTest() || !file.path().startsWith("heddle-adapters/")) {
      return List.of();
    }
    var broken = new ArrayList<String>();
    new TreeScanner<Void, Void>() {
      private final Set<String> messages = new HashSet<>(); // variables that hold one

      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        messages.clear();
        return super.visitMethod(method, null);
      }

      @Override
      public Void visitVariable(VariableTree variable, Void unused) {
        if (isMessage(String.valueOf(variable.getInitializer()))) {
          messages.add(variable.getName().toString());
        }
        return super.visitVariable(variable, null);
      }

      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
        if (call.getMethodSelect() instanceof MemberSelectTree select
            && MATCHING.contains(select.getIdentifier().toString())
            && isMessage(select.getExpression().toString())) {
          long position = file.positions().getStartPosition(file.tree(), call);
          broken.add(at(file, position) + "looks at a message: use the failure's attributes");
        }
        return super.visitMethodInvocation(call, null);
      }

      private boolean isMessage(String expression) {
        return messages.contains(expression) || MESSAGE.matcher(expression).find();
      }
    }.scan(file.tree(), null);
    return broken;
  }

  static List<String> noMonitorsInTheEngine(SourceFile file) {
    if (!isOfTheEngine(file)) {
      return List.of();
    }
    var broken = new ArrayList<String>();
    Consumer<Long> report =
        position -> broken.add(at(file, position) + "synchronized: use a ReentrantLock");
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitSynchronized(SynchronizedTree block, Void unused) {
        report.accept(file.positions().getStartPosition(file.tree(), block));
        return super.visitSynchronized(block, null);
      }

      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        if (method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
          report.accept(file.positions().getStartPosition(file.tree(), method));
        }
        return super.visitMethod(method, null);
      }
    }.scan(file.tree(), null);
    return broken;
  }

  /** A warning is silenced with a reason: a comment on its line or the line above. */
  static List<String> suppressionsSayWhy(SourceFile file) {
    var broken = new ArrayList<String>();
    List<String> lines = file.lines();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitAnnotation(AnnotationTree annotation, Void unused) {
        if (annotation.getAnnotationType().toString().endsWith("SuppressWarnings")) {
          long position = file.positions().getStartPosition(file.tree(), annotation);
          int line = file.lineAt(position);
          String above = line > 1 ? lines.get(line - 2).strip() : "";
          if (!lines.get(line - 1).contains("//") && !above.startsWith("//")) {
            broken.add(at(file, position) + "@SuppressWarnings without a comment that says why");
          }
        }
        return super.visitAnnotation(annotation, null);
      }
    }.scan(file.tree(), null);
    return broken;
  }

  private static String at(SourceFile file, long position) {
    return file.path() + ":" + file.lineAt(position) + ": ";
  }
}
