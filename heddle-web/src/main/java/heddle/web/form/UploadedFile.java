package heddle.web.form;

import heddle.http.Headers;
import heddle.http.MediaType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of a form, as {@link FormData} keeps it.
 *
 * @param name the name of the form's field
 * @param fileName the name of the file as the client gave it: see {@link FormPart#fileName}
 * @param mediaType as the client gave it; null if it gave none that can be understood
 * @param headers the fields of the part
 * @param path where the content is, until the form is closed; it may be moved from there
 * @param size of the content in bytes
 */
public record UploadedFile(
    String name,
    String fileName,
    @Nullable MediaType mediaType,
    Headers headers,
    Path path,
    long size) {}
