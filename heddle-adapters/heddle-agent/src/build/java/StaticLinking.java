import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Run by the build on the classes that the agent loads: replaces call sites that the JVM links with
 * method handles and classes made at run time (lambdas, joined strings, methods of records,
 * switches over types) by ordinary classes and methods. For the first request of a program, making
 * those takes longer than all else. What it does not know it leaves as it is.
 */
final class StaticLinking {
  private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
  private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
  private static final int MADE = ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

  private final Path folder;
  private final Map<ClassDesc, List<ClassDesc>> nests = new HashMap<>();

  private final ClassFile format;

  private StaticLinking(Path folder) {
    this.folder = folder;
    this.format = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
        ClassHierarchyResolver.ofResourceParsing(this::open)
            .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  private InputStream open(ClassDesc type) {
    try {
      return type.isClassOrInterface() && Files.exists(file(type))
          ? Files.newInputStream(file(type))
          : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param args the folder with the agent's classes; the one with the classes that it loads; and
   *     two folders for copies of these, because a later build finds the originals again. The
   *     second classes are packed into one file of the first copy
   */
  public static void main(String[] args) throws IOException {
    StaticLinking agent = new StaticLinking(copied(Path.of(args[0]), Path.of(args[2])));
    agent.linkAll();
    agent.quicken(agent.folder.resolve("heddle/adapters/agent/HeddleAgent.class"));
    StaticLinking loaded = new StaticLinking(copied(Path.of(args[1]), Path.of(args[3])));
    loaded.linkAll();
    loaded.pack(agent.folder.resolve("heddle-classes"));
  }

  private static Path copied(Path from, Path to) throws IOException {
    if (Files.exists(to)) {
      try (Stream<Path> old = Files.walk(to)) {
        for (Path each : old.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
    return to;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(each -> each.toString().endsWith(".class")).sorted().toList();
    }
  }

  private void linkAll() throws IOException {
    for (Path file : files()) {
      link(file);
    }
    joinNests();
  }

  /** Writes what {@code IsolatedLoader} reads. */
  private void pack(Path to) throws IOException {
    SortedMap<Integer, Path> byHash = new TreeMap<>();
    for (Path file : files()) {
      String path = folder.relativize(file).toString().replace(File.separatorChar, '.');
      String name = path.substring(0, path.length() - ".class".length());
      if (byHash.put(name.hashCode(), file) != null) {
        throw new IOException("another class has the hash code of " + name);
      }
    }
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
      out.writeInt(byHash.size() * 3 * Integer.BYTES);
      int position = 0;
      for (Map.Entry<Integer, Path> each : byHash.entrySet()) {
        int length = (int) Files.size(each.getValue());
        out.writeInt(each.getKey());
        out.writeInt(position);
        out.writeInt(length);
        position += length;
      }
      for (Path file : byHash.values()) {
        Files.copy(file, out);
      }
    }
  }

  private Path file(ClassDesc type) {
    String descriptor = type.descriptorString();
    return folder.resolve(descriptor.substring(1, descriptor.length() - 1) + ".class");
  }

  private void link(Path file) throws IOException {
    ClassModel type = format.parse(file);
    OneClass one = new OneClass(type);
    byte[] changed = format
        .transformClass(
            type,
            ClassTransform.transformingMethodBodies(one::replace)
                .andThen(ClassTransform.endHandler(one::addMethods)));
    Files.write(file, changed);
    for (Map.Entry<ClassDesc, byte[]> each : one.classes.entrySet()) {
      Files.write(file(each.getKey()), each.getValue());
    }
  }

  /**
   * The JVM calls {@code premain} by reflection, which makes seven classes for that, unless the
   * method is marked as having variable arguments but ends with no array: then it calls natively.
   */
  private void quicken(Path file) throws IOException {
    ClassModel type = format.parse(file);
    byte[] changed = format.transformClass(
        type,
        ClassTransform.transformingMethods(
            method -> method.methodName().equalsString("premain"), (method, element) -> {
              if (element instanceof AccessFlags flags) {
                method.withFlags(flags.flagsMask() | ClassFile.ACC_VARARGS);
              } else {
                method.with(element);
              }
            }));
    Files.write(file, changed);
  }

  /** Lambdas call private methods: their classes belong to the nest of the class that has them. */
  private void joinNests() throws IOException {
    for (Map.Entry<ClassDesc, List<ClassDesc>> nest : nests.entrySet()) {
      ClassModel host = format.parse(file(nest.getKey()));
      List<ClassDesc> members = new ArrayList<>();
      host.findAttribute(Attributes.nestMembers()).ifPresent(known ->
          known.nestMembers().stream().map(ClassEntry::asSymbol).forEach(members::add));
      members.addAll(nest.getValue());
      Files.write(
          file(nest.getKey()),
          format
              .transformClass(
                  host,
                  ClassTransform.dropping(NestMembersAttribute.class::isInstance)
                      .andThen(ClassTransform.endHandler(
                          end -> end.with(NestMembersAttribute.ofSymbols(members))))));
    }
  }

  /** The call sites of one class. */
  private final class OneClass {
    private final ClassDesc self;
    private final boolean isInterface;
    private final ClassDesc host;
    private final List<Consumer<ClassBuilder>> methods = new ArrayList<>();
    final Map<ClassDesc, byte[]> classes = new HashMap<>();
    int count;

    OneClass(ClassModel type) {
      self = type.thisClass().asSymbol();
      isInterface = type.flags().has(AccessFlag.INTERFACE);
      host = type.findAttribute(Attributes.nestHost())
          .map(NestHostAttribute::nestHost)
          .map(ClassEntry::asSymbol)
          .orElse(self);
    }

    void addMethods(ClassBuilder end) {
      methods.forEach(each -> each.accept(end));
    }

    void replace(CodeBuilder code, CodeElement element) {
      boolean dropped = element instanceof LocalVariable
          || element instanceof LocalVariableType
          || (element instanceof InvokeDynamicInstruction site && replaced(code, site));
      if (!dropped) {
        code.with(element);
      }
    }

    private boolean replaced(CodeBuilder code, InvokeDynamicInstruction instruction) {
      DynamicCallSiteDesc site = DynamicCallSiteDesc.of(
          instruction.bootstrapMethod(),
          instruction.name().stringValue(),
          instruction.typeSymbol(),
          instruction.bootstrapArgs().toArray(ConstantDesc[]::new));
      DirectMethodHandleDesc bootstrap = (DirectMethodHandleDesc) site.bootstrapMethod();
      String by = bootstrap.owner().displayName() + "." + bootstrap.methodName();
      return switch (by) {
        case "LambdaMetafactory.metafactory" -> lambda(code, site);
        case "StringConcatFactory.makeConcatWithConstants" ->
          helper(code, site, body -> joined(body, site));
        case "ObjectMethods.bootstrap" -> helper(code, site, body -> ofRecord(body, site));
        case "SwitchBootstraps.typeSwitch" ->
          Stream.of(site.bootstrapArgs()).allMatch(OneClass::isKnownLabel)
              && helper(code, site, body -> typeSwitch(body, site));
        default -> false;
      };
    }

    /** Calls a new method of this class. */
    private boolean helper(
        CodeBuilder code, DynamicCallSiteDesc site, Consumer<CodeBuilder> body) {
      String name = "linked$" + count++;
      MethodTypeDesc type = site.invocationType();
      methods.add(end ->
          end.withMethodBody(name, type, MADE | ClassFile.ACC_PRIVATE, body));
      code.invokestatic(self, name, type, isInterface);
      return true;
    }

    // ---- strings, records, switches

    private void joined(CodeBuilder code, DynamicCallSiteDesc site) {
      code.new_(BUILDER).dup().invokespecial(BUILDER, INIT_NAME, MethodTypeDesc.of(CD_void));
      String recipe = (String) site.bootstrapArgs()[0];
      StringBuilder text = new StringBuilder();
      int parameter = 0;
      int constant = 1;
      for (char each : recipe.toCharArray()) {
        switch (each) {
          case '\1' -> {
            append(code, text);
            ClassDesc type = site.invocationType().parameterType(parameter);
            load(code, parameter++, type);
            append(code, type);
          }
          case '\2' -> text.append(site.bootstrapArgs()[constant++]);
          default -> text.append(each);
        }
      }
      append(code, text);
      code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(CD_String)).areturn();
    }

    private static void append(CodeBuilder code, StringBuilder text) {
      if (!text.isEmpty()) {
        code.loadConstant(text.toString());
        append(code, CD_String);
        text.setLength(0);
      }
    }

    private static void append(CodeBuilder code, ClassDesc type) {
      ClassDesc as =
          switch (type.descriptorString()) {
            case "B", "S" -> CD_int;
            case "Ljava/lang/String;", "Z", "C", "I", "J", "F", "D" -> type;
            default -> CD_Object;
          };
      code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, as));
    }

    private void ofRecord(CodeBuilder code, DynamicCallSiteDesc site) {
      ConstantDesc[] arguments = site.bootstrapArgs();
      List<DirectMethodHandleDesc> fields = Stream.of(arguments)
          .skip(2)
          .map(DirectMethodHandleDesc.class::cast)
          .toList();
      switch (site.invocationName()) {
        case "equals" -> recordEquals(code, fields);
        case "hashCode" -> recordHash(code, fields);
        default -> recordText(code, ((String) arguments[1]).split(";"), fields);
      }
    }

    private ClassDesc get(CodeBuilder code, DirectMethodHandleDesc field) {
      ClassDesc type = field.invocationType().returnType();
      code.getfield(self, field.methodName(), type);
      return type;
    }

    private static ClassDesc box(ClassDesc type) {
      return switch (type.descriptorString()) {
        case "Z" -> ClassDesc.of("java.lang.Boolean");
        case "B" -> ClassDesc.of("java.lang.Byte");
        case "C" -> ClassDesc.of("java.lang.Character");
        case "S" -> ClassDesc.of("java.lang.Short");
        case "I" -> ClassDesc.of("java.lang.Integer");
        case "J" -> ClassDesc.of("java.lang.Long");
        case "F" -> ClassDesc.of("java.lang.Float");
        case "D" -> ClassDesc.of("java.lang.Double");
        default -> OBJECTS;
      };
    }

    private void recordEquals(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
      Label differs = code.newLabel();
      code.aload(1).instanceOf(self).ifeq(differs);
      for (DirectMethodHandleDesc field : fields) {
        code.aload(0);
        ClassDesc type = get(code, field);
        code.aload(1).checkcast(self);
        var _ = get(code, field);
        if (type.isPrimitive()) {
          code.invokestatic(box(type), "compare", MethodTypeDesc.of(CD_int, type, type))
              .ifne(differs);
        } else {
          code.invokestatic(OBJECTS, "equals", MethodTypeDesc.of(CD_boolean, CD_Object, CD_Object))
              .ifeq(differs);
        }
      }
      code.iconst_1().ireturn().labelBinding(differs).iconst_0().ireturn();
    }

    private void recordHash(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
      code.iconst_0();
      for (DirectMethodHandleDesc field : fields) {
        code.bipush(31).imul().aload(0);
        ClassDesc type = get(code, field);
        ClassDesc argument = type.isPrimitive() ? type : CD_Object;
        code.invokestatic(box(type), "hashCode", MethodTypeDesc.of(CD_int, argument)).iadd();
      }
      code.ireturn();
    }

    private void recordText(
        CodeBuilder code, String[] names, List<DirectMethodHandleDesc> fields) {
      code.new_(BUILDER).dup().invokespecial(BUILDER, INIT_NAME, MethodTypeDesc.of(CD_void));
      String simple = self.displayName();
      StringBuilder text = new StringBuilder(simple.substring(simple.lastIndexOf('$') + 1));
      for (int i = 0; i < fields.size(); i++) {
        append(code, text.append(i == 0 ? "[" : ", ").append(names[i]).append('='));
        code.aload(0);
        append(code, get(code, fields.get(i)));
      }
      append(code, text.append(fields.isEmpty() ? "[]" : "]"));
      code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(CD_String)).areturn();
    }

    /** A type, or a constant of an enum, which the compiler writes as a call of EnumDesc.of. */
    private static boolean isKnownLabel(ConstantDesc label) {
      return label instanceof ClassDesc
          || (label instanceof DynamicConstantDesc<?> constant
              && constant.bootstrapMethod().methodName().equals("invoke")
              && constant.bootstrapArgs()[0] instanceof DirectMethodHandleDesc by
              && by.owner().displayName().equals("Enum$EnumDesc")
              && constant.bootstrapArgs()[1] instanceof DynamicConstantDesc<?>);
    }

    private static void typeSwitch(CodeBuilder code, DynamicCallSiteDesc site) {
      Label isNull = code.newLabel();
      code.aload(0).ifnull(isNull);
      ConstantDesc[] labels = site.bootstrapArgs();
      for (int i = 0; i < labels.length; i++) {
        Label next = code.newLabel();
        code.iload(1).loadConstant(i).if_icmpgt(next);
        if (labels[i] instanceof DynamicConstantDesc<?> constant) {
          ClassDesc type = ClassDesc.of(
              (String) ((DynamicConstantDesc<?>) constant.bootstrapArgs()[1]).bootstrapArgs()[1]);
          code.getstatic(type, (String) constant.bootstrapArgs()[2], type)
              .aload(0)
              .if_acmpne(next);
        } else {
          code.aload(0).instanceOf((ClassDesc) labels[i]).ifeq(next);
        }
        code.loadConstant(i).ireturn().labelBinding(next);
      }
      code.loadConstant(labels.length).ireturn().labelBinding(isNull).iconst_m1().ireturn();
    }

    // ---- lambdas

    private boolean lambda(CodeBuilder code, DynamicCallSiteDesc site) {
      ConstantDesc[] arguments = site.bootstrapArgs();
      Lambda lambda = new Lambda(
          ClassDesc.ofDescriptor(
              self.descriptorString().replace(";", "$$" + (classes.size() + 1) + ";")),
          site.invocationType(),
          site.invocationName(),
          (MethodTypeDesc) arguments[0],
          (DirectMethodHandleDesc) arguments[1],
          (MethodTypeDesc) arguments[2]);
      Optional<byte[]> made = lambda.made(format, host);
      made.ifPresent(bytes -> {
        count++;
        classes.put(lambda.self(), bytes);
        nests.computeIfAbsent(host, key -> new ArrayList<>()).add(lambda.self());
        code.invokestatic(lambda.self(), "of", lambda.captured());
      });
      return made.isPresent();
    }
  }

  private static void load(CodeBuilder code, int parameter, ClassDesc type) {
    code.loadLocal(TypeKind.from(type), code.parameterSlot(parameter));
  }

  /**
   * The class of a lambda.
   *
   * @param captured from the captured values to the interface
   * @param erased the method of the interface
   * @param target what it calls
   * @param type the method of the interface with the types of this use
   */
  private record Lambda(
      ClassDesc self,
      MethodTypeDesc captured,
      String name,
      MethodTypeDesc erased,
      DirectMethodHandleDesc target,
      MethodTypeDesc type) {

    /** Empty if values must be boxed or unboxed on the way. */
    Optional<byte[]> made(ClassFile format, ClassDesc host) {
      if (!isPlain()) {
        return Optional.empty();
      }
      return Optional.of(format.build(self, made -> {
        made.withVersion(ClassFile.JAVA_21_VERSION, 0)
            .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
            .withInterfaceSymbols(captured.returnType())
            .with(NestHostAttribute.of(host));
        for (int i = 0; i < captured.parameterCount(); i++) {
          made.withField("c" + i, captured.parameterType(i), ClassFile.ACC_FINAL);
        }
        made.withMethodBody(
            INIT_NAME, captured.changeReturnType(CD_void), 0, this::construct);
        factory(made);
        made.withMethodBody(
            name, erased, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, this::call);
      }));
    }

    private void construct(CodeBuilder code) {
      code.aload(0).invokespecial(CD_Object, INIT_NAME, MethodTypeDesc.of(CD_void));
      for (int i = 0; i < captured.parameterCount(); i++) {
        code.aload(0);
        load(code, i, captured.parameterType(i));
        code.putfield(self, "c" + i, captured.parameterType(i));
      }
      code.return_();
    }

    /** Returns the same object each time if it captures nothing. */
    private void factory(ClassBuilder made) {
      MethodTypeDesc init = captured.changeReturnType(CD_void);
      if (captured.parameterCount() > 0) {
        made.withMethodBody("of", captured, MADE, code -> {
          code.new_(self).dup();
          for (int i = 0; i < captured.parameterCount(); i++) {
            load(code, i, captured.parameterType(i));
          }
          code.invokespecial(self, INIT_NAME, init).areturn();
        });
        return;
      }
      made.withField("ONLY", self, MADE | ClassFile.ACC_FINAL);
      made.withMethodBody("<clinit>", init, ClassFile.ACC_STATIC, code -> code.new_(self)
          .dup()
          .invokespecial(self, INIT_NAME, init)
          .putstatic(self, "ONLY", self)
          .return_());
      made.withMethodBody(
          "of", captured, MADE, code -> code.getstatic(self, "ONLY", self).areturn());
    }

    /** What the target takes: the receiver, if it has one, then its parameters. */
    private List<ClassDesc> taken() {
      MethodTypeDesc target = MethodTypeDesc.ofDescriptor(target().lookupDescriptor());
      List<ClassDesc> taken = new ArrayList<>(target.parameterList());
      if (hasReceiver()) {
        taken.addFirst(target().owner());
      }
      return taken;
    }

    private boolean hasReceiver() {
      return switch (target.kind()) {
        case VIRTUAL, INTERFACE_VIRTUAL, SPECIAL, INTERFACE_SPECIAL -> true;
        default -> false;
      };
    }

    private ClassDesc returned() {
      return target.kind() == Kind.CONSTRUCTOR
          ? target.owner()
          : MethodTypeDesc.ofDescriptor(target.lookupDescriptor()).returnType();
    }

    private boolean isPlain() {
      List<ClassDesc> taken = taken();
      if (taken.size() != captured.parameterCount() + type.parameterCount()) {
        return false;
      }
      boolean plain = true;
      for (int i = 0; i < type.parameterCount(); i++) {
        plain &= fits(type.parameterType(i), taken.get(captured.parameterCount() + i));
      }
      ClassDesc wanted = type.returnType();
      return plain && (wanted.equals(CD_void) || fits(returned(), wanted));
    }

    private static boolean fits(ClassDesc from, ClassDesc to) {
      return from.isPrimitive() || to.isPrimitive() ? from.equals(to) : true;
    }

    private void call(CodeBuilder code) {
      if (target.kind() == Kind.CONSTRUCTOR) {
        code.new_(target.owner()).dup();
      }
      for (int i = 0; i < captured.parameterCount(); i++) {
        code.aload(0).getfield(self, "c" + i, captured.parameterType(i));
      }
      List<ClassDesc> taken = taken();
      for (int i = 0; i < type.parameterCount(); i++) {
        load(code, i, erased.parameterType(i));
        ClassDesc wanted = taken.get(captured.parameterCount() + i);
        if (!wanted.isPrimitive() && !wanted.equals(erased.parameterType(i))) {
          code.checkcast(wanted);
        }
      }
      MethodTypeDesc of = MethodTypeDesc.ofDescriptor(target.lookupDescriptor());
      ClassDesc owner = target.owner();
      switch (target.kind()) {
        case STATIC, INTERFACE_STATIC ->
          code.invokestatic(owner, target.methodName(), of, target.isOwnerInterface());
        case CONSTRUCTOR -> code.invokespecial(owner, INIT_NAME, of);
        case INTERFACE_VIRTUAL, INTERFACE_SPECIAL ->
          code.invokeinterface(owner, target.methodName(), of);
        default -> code.invokevirtual(owner, target.methodName(), of);
      }
      ClassDesc wanted = erased.returnType();
      if (!wanted.equals(CD_void)) {
        if (!wanted.isPrimitive() && !wanted.equals(CD_Object) && !wanted.equals(returned())) {
          code.checkcast(wanted);
        }
        code.return_(TypeKind.from(wanted));
      } else if (returned().equals(CD_void)) {
        code.return_();
      } else {
        int slots = TypeKind.from(returned()).slotSize();
        (slots == 2 ? code.pop2() : code.pop()).return_();
      }
    }
  }
}
