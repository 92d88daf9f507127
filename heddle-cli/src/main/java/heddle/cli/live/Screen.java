package heddle.cli.live;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jline.terminal.Size;
import org.jline.terminal.impl.DumbTerminal;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jspecify.annotations.Nullable;

/**
 * The last lines of a terminal, which are redrawn. It only writes and never changes the settings of
 * the terminal, so that even a killed process leaves a terminal that echoes its input. Used by
 * several threads.
 */
public final class Screen implements AutoCloseable {

  private static final int USUAL_WIDTH = 80;

  /** More than a frame has; a smaller terminal scrolls. */
  private static final int ROWS = 50;

  private final DumbTerminal terminal;
  private final Display display;
  private final Look look;
  private final IntSupplier width;

  /** Guards the terminal and the fields below, also against the shutdown hook. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Thread hook = new Thread(this::restore, "restore-terminal");
  private int columns;
  private boolean drawn;
  private boolean closed;

  Screen(PrintStream out, String type, Look look, IntSupplier width) throws IOException {
    this.terminal =
        new DumbTerminal("heddle", type, InputStream.nullInputStream(), out, out.charset());
    this.look = look;
    this.width = width;
    terminal.setSize(Size.of(USUAL_WIDTH, ROWS));
    this.display = new Display(terminal, false);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Opens standard error as a terminal; returns null if it is not a terminal, or a dumb one.
   *
   * @param err standard error
   */
  public static @Nullable Screen open(PrintStream err, Map<String, String> environment) {
    String type = environment.getOrDefault("TERM", "dumb");
    if (type.isEmpty() || type.equals("dumb")) {
      return null;
    }
    Charset charset = err.charset();
    try {
      return new Screen(err, type, Look.of(environment, charset), width());
    } catch (IOException e) {
      // The load works without a live view.
      return null;
    }
  }

  /**
   * Asks the system for the width, which changes with the window. That needs native access, which
   * the launcher enables; without it the JVM would print a warning into the view.
   */
  private static IntSupplier width() {
    if (!Screen.class.getModule().isNativeAccessEnabled()) {
      return () -> USUAL_WIDTH;
    }
    try {
      TerminalProvider system = TerminalProvider.load("ffm");
      return () -> {
        int columns = system.systemStreamWidth(SystemStream.Error);
        return columns > 0 ? columns : USUAL_WIDTH;
      };
    } catch (IOException e) {
      return () -> USUAL_WIDTH;
    }
  }

  /** Draws these lines over the previous ones. */
  void draw(Painter.Picture picture) {
    int now = width.getAsInt();
    List<AttributedString> lines = picture.lines(look, now);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (now != columns) {
        columns = now;
        Size size = Size.of(now, ROWS);
        terminal.setSize(size);
        display.resize(size);
      }
      if (!drawn) {
        drawn = true;
        terminal.puts(Capability.cursor_invisible);
      }
      display.update(lines, -1);
      terminal.flush();
    } finally {
      lock.unlock();
    }
  }

  /** Erases the lines and shows the cursor where they began. */
  private void restore() {
    try {
      // A thread that holds it for longer is writing to a blocked terminal.
      if (!lock.tryLock(1, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      if (!closed && drawn) {
        display.update(List.of(), 0);
        terminal.puts(Capability.carriage_return);
        terminal.puts(Capability.clr_eos);
        terminal.puts(Capability.cursor_normal);
        terminal.flush();
      }
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    restore();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook has nothing to do.
    }
  }
}
