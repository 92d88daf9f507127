package heddle.web.form;

import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.io.FileStreams;
import heddle.web.syntax.ContentType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A form that has been read as a whole, of either kind: its fields are in memory, its files in a
 * temporary directory that is deleted when the form is closed. Immutable, and safe to share until
 * then.
 *
 * <pre>{@code
 * try (FormData form = FormData.read(request, FormLimits.DEFAULT)) {
 *   UploadedFile report = form.file("report");
 *   if (report != null) {
 *     Files.move(report.path(), archive.resolve(newId()));
 *   }
 *   return Response.ok("Thanks, " + form.first("author"));
 * }
 * }</pre>
 *
 * <p>Of a multipart form, each part with a file name is a file, also if it is small; one with an
 * empty name and no content, which browsers send if no file was chosen, is left out.
 */
public final class FormData implements AutoCloseable {
  private final Form fields;
  private final List<UploadedFile> files;
  private final @Nullable Path directory;

  private FormData(Form fields, List<UploadedFile> files, @Nullable Path directory) {
    this.fields = fields;
    this.files = List.copyOf(files);
    this.directory = directory;
  }

  /**
   * Reads the content of a request, with files in a new directory of the system's temporary one.
   *
   * @throws FormException if it is no form, malformed, cut, or larger than a limit
   * @throws IOException if it cannot be read, or a file cannot be written
   */
  public static FormData read(Request request, FormLimits limits) throws IOException {
    return read(request, limits, null);
  }

  /**
   * As the other one, with files in a new directory that is made in {@code temporary} when the
   * first file arrives.
   *
   * @param temporary null for the system's temporary directory
   */
  public static FormData read(Request request, FormLimits limits, @Nullable Path temporary)
      throws IOException {
    Objects.requireNonNull(limits, "limits");
    MediaType mediaType = ContentType.of(request.headers());
    return mediaType != null && MultipartReader.isForm(mediaType)
        ? new Collector(limits, temporary).collect(request)
        : new FormData(UrlencodedForm.read(request, limits), List.of(), null);
  }

  /** The fields that are not files, in their order. */
  public Form fields() {
    return fields;
  }

  /** The value of the first field with this name; null if there is none. */
  public @Nullable String first(String name) {
    return fields.first(name);
  }

  /** The values of all fields with this name, in their order. */
  public List<String> all(String name) {
    return fields.all(name);
  }

  /** The files, in their order. */
  public List<UploadedFile> files() {
    return files;
  }

  /** The first file with this name of a field; null if there is none. */
  public @Nullable UploadedFile file(String name) {
    return files.stream().filter(file -> file.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * Deletes the files that are still where they were put, and their directory. Does nothing the
   * second time.
   *
   * @throws IOException if one cannot be deleted
   */
  @Override
  public void close() throws IOException {
    if (directory != null) {
      delete(directory, files.stream().map(UploadedFile::path).toList());
    }
  }

  private static void delete(Path directory, List<Path> files) throws IOException {
    // Also if the client has gone and this thread is interrupted.
    FileStreams.callUninterruptibly(() -> {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      return Files.deleteIfExists(directory);
    });
  }

  /** Reads the parts of one form. */
  private static final class Collector {
    private final FormLimits limits;
    private final @Nullable Path temporary;
    private final Form.Builder fields = Form.builder();
    private final List<UploadedFile> files = new ArrayList<>();
    private final List<Path> written = new ArrayList<>();
    private @Nullable Path directory;
    private int textLeft;

    Collector(FormLimits limits, @Nullable Path temporary) {
      this.limits = limits;
      this.temporary = temporary;
      this.textLeft = limits.maxTextBytes();
    }

    FormData collect(Request request) throws IOException {
      try (MultipartReader parts = MultipartReader.of(request, limits)) {
        for (FormPart part = parts.next(); part != null; part = parts.next()) {
          add(part);
        }
        return new FormData(fields.build(), files, directory);
      } catch (IOException | RuntimeException | Error e) {
        deleteAfter(e);
        throw e;
      }
    }

    private void add(FormPart part) throws IOException {
      String fileName = part.fileName();
      take(part.name().length());
      if (fileName == null) {
        String value = part.text(textLeft, limits.maxTextBytes());
        take(value.length());
        fields.add(part.name(), value);
        return;
      }
      take(fileName.length());
      if (!fileName.isEmpty() || !part.isAtEnd()) {
        Path path = directory().resolve(Integer.toString(files.size()));
        written.add(path);
        long size;
        try (OutputStream out = FileStreams.create(path)) {
          size = part.stream().transferTo(out);
        }
        files.add(
            new UploadedFile(part.name(), fileName, part.mediaType(), part.headers(), path, size));
      }
    }

    /** Counts chars: a text never has more of them than bytes. */
    private void take(int count) throws FormException {
      textLeft -= count;
      if (textLeft < 0) {
        throw FormException.tooLarge("bytes of text", limits.maxTextBytes(), "maxTextBytes");
      }
    }

    private Path directory() throws IOException {
      Path known = directory;
      if (known != null) {
        return known;
      }
      Path made = FileStreams.callUninterruptibly(() -> temporary == null
          ? Files.createTempDirectory("heddle-form-")
          : Files.createTempDirectory(temporary, "heddle-form-"));
      directory = made;
      return made;
    }

    private void deleteAfter(Throwable failure) {
      Path made = directory;
      try {
        if (made != null) {
          delete(made, written);
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
