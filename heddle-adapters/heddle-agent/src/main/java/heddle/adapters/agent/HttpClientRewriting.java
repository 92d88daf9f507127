package heddle.adapters.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Changes {@code HttpClient.newBuilder()}: what it returns goes through {@link Hooks.Builders}. The
 * class is changed rather than its callers, so that reflection, method references and code of all
 * class loaders get Heddle's clients. The hook is found through the system class loader, which
 * loads agents. Written without the JDK's class-file API, which would cost each start of a JVM
 * 30 ms and 6 MB.
 */
final class HttpClientRewriting {
  private static final int NEW = 0xBB;
  private static final int ARETURN = 0xB0;

  /** Of {@code new, dup, invokespecial, areturn}, which is all that the method has. */
  private static final int CODE_BYTES = 8;

  private final ByteBuffer in;
  private final ByteArrayOutputStream constants = new ByteArrayOutputStream();
  private final DataOutputStream added = new DataOutputStream(constants);
  private final ByteArrayOutputStream changed = new ByteArrayOutputStream();
  private final DataOutputStream code = new DataOutputStream(changed);
  private final String[] texts;
  private int count;

  private HttpClientRewriting(byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
    count = in.getChar(8);
    texts = new String[count];
  }

  /**
   * Returns the changed class.
   *
   * @throws IllegalArgumentException if it has no such method
   */
  static byte[] rewritten(byte[] bytes) throws IOException {
    return new HttpClientRewriting(bytes).rewrite();
  }

  private byte[] rewrite() throws IOException {
    readConstants();
    int afterConstants = in.position();
    findCode();
    int start = in.position();
    int end = start + in.getInt(start) + Integer.BYTES;
    int original = start + 12;
    if (in.getInt(original - 4) != CODE_BYTES
        || (in.get(original) & 0xFF) != NEW
        || (in.get(original + CODE_BYTES - 1) & 0xFF) != ARETURN) {
      throw new IllegalArgumentException("newBuilder() of this Java version has other code");
    }
    rewriteCode(original);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(all);
    out.write(in.array(), 0, 8);
    out.writeShort(count);
    out.write(in.array(), 10, afterConstants - 10);
    constants.writeTo(out);
    out.write(in.array(), afterConstants, start - afterConstants);
    out.writeInt(12 + changed.size());
    out.writeShort(3);
    out.writeShort(0);
    out.writeInt(changed.size());
    changed.writeTo(out);
    out.writeInt(0); // No handlers, no attributes.
    out.write(in.array(), end, in.limit() - end);
    return all.toByteArray();
  }

  // ---- reading, JVMS 4

  private void skip(int bytes) {
    in.position(in.position() + bytes);
  }

  private void readConstants() {
    in.position(10);
    for (int i = 1; i < texts.length; i++) {
      int tag = in.get();
      switch (tag) {
        case 1 -> {
          int length = in.getChar();
          texts[i] = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
          skip(length);
        }
        case 5, 6 -> {
          skip(8);
          i++;
        }
        case 7, 8, 16, 19, 20 -> skip(2);
        case 15 -> skip(3);
        default -> skip(4);
      }
    }
  }

  /** Goes to the length of the attribute that holds the method's code. */
  private void findCode() {
    skip(6);
    skip(2 * in.getChar());
    for (int kind = 0; kind < 2; kind++) { // Fields, and then methods.
      for (int member = in.getChar(); member > 0; member--) {
        skip(2);
        boolean found = "newBuilder".equals(texts[in.getChar()]);
        skip(2);
        for (int attribute = in.getChar(); attribute > 0; attribute--) {
          if ("Code".equals(texts[in.getChar()]) && found) {
            return;
          }
          skip(in.getInt());
        }
      }
    }
    throw new IllegalArgumentException("HttpClient of this Java version has no newBuilder()");
  }

  // ---- writing

  /** Writes the method's code without its end, within the call of the hook. */
  private void rewriteCode(int original) throws IOException {
    String loader = "java/lang/ClassLoader";
    String hook = "java/util/function/UnaryOperator";
    op(0xB8, method(10, loader, "getSystemClassLoader", "()L" + loader + ";")); // invokestatic
    op(0x13, named(8, Hooks.Builders.class.getName())); // ldc_w
    op(0xB6, method(10, loader, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;"));
    op(0xB6, method(10, "java/lang/Class", "newInstance", "()Ljava/lang/Object;"));
    op(0xC0, named(7, hook)); // checkcast
    code.write(in.array(), original, CODE_BYTES - 1);
    op(0xB9, method(11, hook, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;"));
    code.writeShort(0x200);
    op(0xC0, named(7, "java/net/http/HttpClient$Builder"));
    code.writeByte(ARETURN);
  }

  private void op(int opcode, int constant) throws IOException {
    code.writeByte(opcode);
    code.writeShort(constant);
  }

  private int text(String text) throws IOException {
    added.writeByte(1);
    added.writeUTF(text);
    return count++;
  }

  /** A class (7) or a string (8). */
  private int named(int tag, String name) throws IOException {
    int text = text(name);
    added.writeByte(tag);
    added.writeShort(text);
    return count++;
  }

  private int pair(int tag, int first, int second) throws IOException {
    added.writeByte(tag);
    added.writeShort(first);
    added.writeShort(second);
    return count++;
  }

  /** A method of a class (10) or of an interface (11). */
  private int method(int tag, String owner, String name, String type) throws IOException {
    int in = named(7, owner);
    return pair(tag, in, pair(12, text(name), text(type)));
  }
}
