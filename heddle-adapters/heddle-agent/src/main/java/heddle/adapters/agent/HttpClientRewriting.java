package heddle.adapters.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Changes {@code HttpClient.newBuilder()}: it calls {@link Hooks} first, and runs the original code
 * if that returns null. {@code HttpClient} is changed rather than its callers, so that reflection,
 * method references and code of all class loaders get Heddle's clients. The hook is found through
 * the system class loader, which loads agents.
 */
final class HttpClientRewriting implements CodeTransform {
  private static final ClassDesc BUILDER = ClassDesc.of("java.net.http.HttpClient$Builder");
  private static final ClassDesc LOADER = ClassDesc.of("java.lang.ClassLoader");
  private static final ClassDesc METHOD = ClassDesc.of("java.lang.reflect.Method");

  private boolean found;

  private HttpClientRewriting() {}

  /**
   * Returns the changed class.
   *
   * @throws IllegalArgumentException if it has no such method
   */
  static byte[] rewritten(byte[] bytes) {
    ClassFile format = ClassFile.of();
    HttpClientRewriting rewriting = new HttpClientRewriting();
    byte[] changed = format.transformClass(
        format.parse(bytes),
        ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("newBuilder"), rewriting));
    if (!rewriting.found) {
      throw new IllegalArgumentException("HttpClient of this Java version has no newBuilder()");
    }
    return changed;
  }

  @Override
  public void atStart(CodeBuilder code) {
    found = true;
    Label stock = code.newLabel();
    code.loadConstant("heddle.adapters.agent.Hooks")
        .iconst_1()
        .invokestatic(LOADER, "getSystemClassLoader", MethodTypeDesc.of(LOADER))
        .invokestatic(
            ConstantDescs.CD_Class,
            "forName",
            MethodTypeDesc.of(
                ConstantDescs.CD_Class, ConstantDescs.CD_String, ConstantDescs.CD_boolean, LOADER))
        .loadConstant("newHttpClientBuilder")
        .iconst_0()
        .anewarray(ConstantDescs.CD_Class)
        .invokevirtual(
            ConstantDescs.CD_Class,
            "getMethod",
            MethodTypeDesc.of(METHOD, ConstantDescs.CD_String, ConstantDescs.CD_Class.arrayType()))
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
