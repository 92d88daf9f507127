package heddle.verify;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** One Java source: its text, and its syntax tree as the compiler reads it. */
record SourceFile(String path, String text, CompilationUnitTree tree, SourcePositions positions) {

  /** Every Java source of the repository. */
  static List<SourceFile> ofRepository() {
    return of(Repository.files(file -> Repository.name(file).endsWith(".java")));
  }

  /** These files of the repository. */
  static List<SourceFile> of(List<Path> files) {
    return parse(files.stream().collect(Collectors.toMap(Repository::relative, Repository::read)));
  }

  static SourceFile of(String path, String text) {
    return parse(Map.of(path, text)).getFirst();
  }

  private static List<SourceFile> parse(Map<String, String> textByPath) {
    JavaCompiler compiler = Objects.requireNonNull(
        ToolProvider.getSystemJavaCompiler(), "the tests need a JDK, this is a runtime only");
    List<Text> texts = textByPath.entrySet().stream()
        .map(entry -> new Text(entry.getKey(), entry.getValue()))
        .toList();
    var task = (JavacTask) compiler.getTask(null, null, null, null, null, texts);
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    var files = new ArrayList<SourceFile>();
    try {
      for (CompilationUnitTree tree : task.parse()) {
        String path = tree.getSourceFile().toUri().getPath().substring(1);
        String text = Objects.requireNonNull(textByPath.get(path), path);
        files.add(new SourceFile(path, text, tree, positions));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  List<String> lines() {
    return text.lines().toList();
  }

  /** The line, counted from 1, of a position in the text. */
  int lineAt(long position) {
    return (int) tree.getLineMap().getLineNumber(position);
  }

  String fileName() {
    return Repository.name(Path.of(path));
  }

  String folder() {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  boolean isTest() {
    return path.contains("/src/test/");
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String content;

    private Text(String path, String content) {
      super(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE);
      this.content = content;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return content;
    }
  }
}
