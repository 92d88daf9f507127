package heddle.load.cluster.process;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ends a process together with its parent, even if that is killed: the kernel then closes the pipe
 * that is the standard input of the child.
 */
public final class Leash {

  /**
   * The shell becomes the program; its background command kills the program when the input ends.
   * The input of a background command is empty, so the pipe is kept under another descriptor.
   */
  private static final String SCRIPT =
      "exec 3<&0; { cat <&3; kill -9 $$; } >/dev/null 2>&1 & exec \"$@\" </dev/null 3<&-";

  private Leash() {}

  /**
   * Runs another main class, and ends this JVM when its standard input ends.
   *
   * @param args the name of the class, and its arguments
   */
  public static void main(String[] args) throws Throwable {
    Method main = Class.forName(args[0]).getMethod("main", String[].class);
    // Like the launcher, accepts classes that are not public.
    main.setAccessible(true);
    Thread.ofPlatform().daemon().name("leash").start(Leash::awaitEnd);
    try {
      main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private static void awaitEnd() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("the input cannot be read: " + e);
    }
    Runtime.getRuntime().halt(1);
  }

  /** A command with the same effect for a program that is not a JVM. It gets no input. */
  public static List<String> of(List<String> command) {
    List<String> held = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
    held.addAll(command);
    return held;
  }
}
