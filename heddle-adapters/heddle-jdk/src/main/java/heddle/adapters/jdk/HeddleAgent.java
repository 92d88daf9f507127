package heddle.adapters.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.http.HttpClient;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Java agent that makes {@code HttpClient.newHttpClient()} and {@code newBuilder()} return
 * Heddle's anywhere in the process: {@code java -javaagent:heddle-jdk.jar ...}, with Heddle's jars
 * in the same directory.
 *
 * <p>It changes {@code HttpClient} itself rather than its callers, so that reflection and method
 * references get Heddle's too, from any class loader. {@link HeddleBuilders} is found through the
 * system class loader, which loads agents.
 */
public final class HeddleAgent {
  private static final ClassDesc BUILDER = ClassDesc.of("java.net.http.HttpClient$Builder");
  private static final ClassDesc LOADER = ClassDesc.of("java.lang.ClassLoader");
  private static final ClassDesc METHOD = ClassDesc.of("java.lang.reflect.Method");

  private HeddleAgent() {}

  /**
   * Called by the JVM before the program's own {@code main}.
   *
   * @throws IllegalStateException if {@code HttpClient} cannot be changed
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    install(instrumentation);
  }

  /** Called by the JVM when the agent is attached to a running program. */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    install(instrumentation);
  }

  private static void install(Instrumentation instrumentation) {
    loadWhatTheJvmNeedsForReading(instrumentation);
    Rewriting rewriting = new Rewriting(HttpClient.class);
    // Stays registered: if another agent retransforms HttpClient, all start from the JDK's bytes.
    instrumentation.addTransformer(rewriting, true);
    try {
      instrumentation.retransformClasses(rewriting.target);
    } catch (UnmodifiableClassException e) {
      throw new IllegalStateException("this JVM does not allow agents to change HttpClient", e);
    }
    if (!rewriting.done) {
      throw new IllegalStateException(
          "HttpClient.newBuilder is not as in JDK 25, so nothing was changed: run on JDK 25",
          rewriting.failure);
    }
  }

  /**
   * Once there is a transformer, the JVM adds a read edge from the module of each loaded class to
   * this module. The JDK classes that record such edges must be loaded before. Otherwise loading
   * them would need themselves, and fail for the rest of the process (ClassCircularityError).
   */
  private static void loadWhatTheJvmNeedsForReading(Instrumentation instrumentation) {
    instrumentation.redefineModule(
        HttpClient.class.getModule(),
        Set.of(HeddleAgent.class.getModule()),
        Map.of(),
        Map.of(),
        Set.of(),
        Map.of());
  }

  private static final class Rewriting implements ClassFileTransformer {
    /** Resolved early: the check for each class must not itself load one. */
    private final Class<?> target;

    private volatile boolean done;
    private boolean found;
    private volatile @Nullable Throwable failure;

    Rewriting(Class<?> target) {
      this.target = target;
    }

    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        String name,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      if (redefined != target) {
        return null;
      }
      try {
        return rewritten(bytes);
      } catch (RuntimeException | Error e) {
        failure = e; // The JVM ignores exceptions of transformers.
        return null;
      }
    }

    private byte[] rewritten(byte[] bytes) {
      ClassFile format = ClassFile.of();
      byte[] changed = format.transformClass(
          format.parse(bytes),
          ClassTransform.transformingMethodBodies(
              method -> method.methodName().equalsString("newBuilder"),
              CodeTransform.ofStateful(Prefix::new)));
      done = found;
      return changed;
    }

    /** Calls {@link HeddleBuilders} first, and runs the original code if it returns null. */
    private final class Prefix implements CodeTransform {
      @Override
      public void atStart(CodeBuilder code) {
        found = true;
        Label stock = code.newLabel();
        code.loadConstant(HeddleBuilders.class.getName())
            .iconst_1()
            .invokestatic(LOADER, "getSystemClassLoader", MethodTypeDesc.of(LOADER))
            .invokestatic(
                ConstantDescs.CD_Class,
                "forName",
                MethodTypeDesc.of(
                    ConstantDescs.CD_Class,
                    ConstantDescs.CD_String,
                    ConstantDescs.CD_boolean,
                    LOADER))
            .loadConstant("newBuilder")
            .iconst_0()
            .anewarray(ConstantDescs.CD_Class)
            .invokevirtual(
                ConstantDescs.CD_Class,
                "getMethod",
                MethodTypeDesc.of(
                    METHOD, ConstantDescs.CD_String, ConstantDescs.CD_Class.arrayType()))
            .aconst_null()
            .iconst_0()
            .anewarray(ConstantDescs.CD_Object)
            .invokevirtual(
                METHOD,
                "invoke",
                MethodTypeDesc.of(
                    ConstantDescs.CD_Object,
                    ConstantDescs.CD_Object,
                    ConstantDescs.CD_Object.arrayType()))
            .checkcast(BUILDER)
            .dup()
            .ifnull(stock)
            .areturn()
            .labelBinding(stock)
            .pop();
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }
    }
  }
}
