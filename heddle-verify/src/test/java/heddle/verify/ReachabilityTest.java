package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.module.ModuleReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * GraalVM's native-image sees no fields that a program names by strings. The metadata in the
 * engine's jars (META-INF/native-image) has all of them, and nothing else; and the engine uses
 * reflection in no way that this test cannot read.
 */
final class ReachabilityTest {

  private static final Pattern REFLECTIVE =
      Pattern.compile("java/lang/(Class|Module|ClassLoader)[.]"
          + "(forName|loadClass|newInstance|getResource.*"
          + "|get(Declared)?(Field|Method|Constructor)s?|getRecordComponents)"
          + "|java/lang/invoke/MethodHandles[$]Lookup[.](find|unreflect).*"
          + "|java/lang/reflect/(Method|Field|Constructor|Proxy)[.].*"
          + "|java/util/(ServiceLoader[.]load.*|ResourceBundle[.]getBundle)"
          + "|java/lang/System[.]load.*|java/lang/foreign/(Linker|SymbolLookup)[.].*"
          + "|java/io/ObjectInputStream[.].*");

  private static final String UPDATER =
      "java/util/concurrent/atomic/Atomic(Integer|Long|Reference)FieldUpdater[.]newUpdater";

  /** Makes a handle of a field of its caller. */
  private static final String HANDLE = "heddle/codec/http2/SharedState.handle";

  private static final String METADATA = "META-INF/native-image/.*/reachability-metadata[.]json";

  /** Fields as TYPE#FIELD. */
  private final Set<String> used = new TreeSet<>();

  private final Set<String> otherwise = new TreeSet<>();

  /** What a method has put on the stack since its last call. */
  private final List<String> types = new ArrayList<>();

  private final List<String> strings = new ArrayList<>();

  @Test
  void metadataHasTheFieldsThatTheEngineNamesByStrings() throws Exception {
    var told = new TreeSet<String>();
    int classes = 0;
    for (Class<?> each : PublicTypesTest.MODULES) {
      try (ModuleReader reader = PublicTypesTest.moduleOf(each).open()) {
        for (String file : reader.list().toList()) {
          if (file.endsWith(".class")) {
            scan(read(reader, file));
            classes++;
          } else if (file.matches(METADATA)) {
            addFields(JsonMapper.shared().readTree(read(reader, file)), told);
          }
        }
      }
    }
    int found = classes;
    assertTrue(found > 300, () -> "found only " + found + " classes");
    assertEquals(used, told);
    // What GraalVM finds by itself, because the class, or the name of the resource, is a constant.
    assertEquals(
        Set.of(
            "heddle.client.step.DefaultFields$Version calls java/lang/Class.getResourceAsStream",
            "heddle.codec.http2.SharedState calls java/lang/invoke/MethodHandles$Lookup"
                + ".findVarHandle",
            "heddle.http.BodyCodec$Installed calls java/util/ServiceLoader.load",
            "heddle.http.ContentCoding$Installed calls java/util/ServiceLoader.load"),
        otherwise);
  }

  @Test
  void fieldsAndOtherReflectionAreRecognised() throws IOException {
    String name = "ReachabilityTest$Sample.class";
    try (InputStream in = ReachabilityTest.class.getResourceAsStream(name)) {
      scan(in.readAllBytes());
    }
    String sample = Sample.class.getName();
    assertEquals(Set.of(sample + "#count"), used);
    assertEquals(
        Set.of(
            sample + " calls java/lang/Class.forName",
            sample + " calls java/lang/Class.getResourceAsStream"),
        otherwise);
  }

  /** Names a field, a class and a resource by strings. */
  @SuppressWarnings("unused") // Only its code is read.
  private static final class Sample {
    private static final AtomicIntegerFieldUpdater<Sample> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(Sample.class, "count");
    private volatile int count;

    static Class<?> named() throws ClassNotFoundException {
      return Class.forName("heddle.http.Request");
    }

    static InputStream resource() {
      return Sample.class.getResourceAsStream("some.properties");
    }
  }

  private void scan(byte[] file) {
    ClassModel type = ClassFile.of().parse(file);
    String name = nameOf(type.thisClass().asSymbol());
    for (MethodModel method : type.methods()) {
      types.clear();
      strings.clear();
      for (CodeElement element : method.code().map(CodeModel::elementList).orElse(List.of())) {
        step(name, element);
      }
    }
  }

  private void step(String name, CodeElement element) {
    switch (element) {
      case ConstantInstruction constant -> {
        if (constant.constantValue() instanceof ClassDesc described) {
          types.add(nameOf(described));
        } else if (constant.constantValue() instanceof String string) {
          strings.add(string);
        }
      }
      case InvokeInstruction call -> called(name, call);
      default -> {}
    }
  }

  private void called(String name, InvokeInstruction call) {
    ClassEntry owner = call.owner();
    String target = owner.asInternalName() + "." + call.name().stringValue();
    if (target.matches(UPDATER)) {
      used.add(types.getFirst() + "#" + strings.getLast());
    } else if (target.equals(HANDLE)) {
      used.add(name + "#" + strings.getLast());
    } else if (REFLECTIVE.matcher(target).matches()) {
      otherwise.add(name + " calls " + target);
    }
    // The lookup is an argument of HANDLE, which takes its field's name after it.
    if (!target.startsWith("java/lang/invoke/MethodHandles.")) {
      types.clear();
      strings.clear();
    }
  }

  private static void addFields(JsonNode metadata, Set<String> fields) {
    for (JsonNode type : metadata.path("reflection")) {
      for (JsonNode field : type.path("fields")) {
        fields.add(type.path("type").asString() + "#" + field.path("name").asString());
      }
    }
  }

  private static byte[] read(ModuleReader reader, String file) throws IOException {
    try (InputStream in = reader.open(file).orElseThrow()) {
      return in.readAllBytes();
    }
  }

  private static String nameOf(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
  }
}
