package heddle.web.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.MultipartBody;
import heddle.http.Request;
import heddle.testwatch.FuzzTarget;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client sends as a form. */
enum FormTarget implements FuzzTarget {
  /** The same parts whole and in pieces, and again when they are written anew. */
  MULTIPART {
    @Override
    public void run(byte[] input) throws IOException {
      List<Part> parts = new ArrayList<>();
      String whole = read(input, Integer.MAX_VALUE, parts);
      assertEquals(whole, read(input, 1, new ArrayList<>()));
      assertEquals(whole, read(input, 7, new ArrayList<>()));
      MultipartBody written = write(parts);
      if (written != null) {
        List<Part> again = new ArrayList<>();
        InputStream in = written.stream();
        try (MultipartReader reader = reader(in, written.mediaType(), FormLimits.DEFAULT)) {
          collect(reader, again);
        }
        assertEquals(parts.toString(), again.toString());
      }
    }

    @Override
    public List<byte[]> seeds() {
      String part = "Content-Disposition: form-data; name=";
      return List.of(
          octets("--B|" + part + "a||1|--B|" + part + "\"b\"; filename=\"c%22\"|X: y||2||--B--|"),
          octets("preamble||--B \t|" + part + "\"a\\\"\"||\r\r\n--A|--B--epilogue"),
          octets("--B|" + part + "a||" + "x".repeat(MOST_BYTES + 1) + "|--B--"),
          octets("--B|" + part + "a; filename*=UTF-8''x||cut"),
          octets("--B|" + part + "a||1|--B|" + part + "a||1|--B|" + part + "a||1|--B|" + part
              + "a||1|--B--"));
    }
  },

  /** A form that is read is the same when it is written and read again. */
  URLENCODED {
    @Override
    public void run(byte[] input) throws IOException {
      try {
        Form form = UrlencodedForm.parse(new String(input, ISO_8859_1), MOST_FIELDS);
        assertTrue(form.fields().size() <= MOST_FIELDS);
        assertEquals(form, UrlencodedForm.parse(form.encoded(), MOST_FIELDS));
      } catch (FormException e) {
        assertTrue(e.status().isClientError());
      }
    }

    @Override
    public List<byte[]> seeds() {
      return List.of(octets("a=1&b=a+%C3%a4&&c&=d&a=%00"), octets("a=%"), octets("a&".repeat(100)));
    }
  };

  private static final int MOST_FIELDS = 50;
  private static final int MOST_BYTES = 300;
  private static final MediaType TYPE = MediaType.parse("multipart/form-data; boundary=B");
  private static final FormLimits LIMITS =
      new FormLimits(Long.MAX_VALUE, 3, MOST_BYTES, MOST_BYTES, MOST_BYTES);

  private record Part(String name, @Nullable String fileName, String content) {}

  private static byte[] octets(String text) {
    return text.replace("|", "\r\n").getBytes(ISO_8859_1);
  }

  private static MultipartReader reader(InputStream in, MediaType type, FormLimits limits)
      throws IOException {
    Request request = Request.builder(URI.create("http://t/"))
        .method(Method.POST)
        .body(new UnannouncedBody(in, type))
        .build();
    return MultipartReader.of(request, limits);
  }

  private static String read(byte[] input, int most, List<Part> parts) throws IOException {
    String end = "end";
    try (MultipartReader reader = reader(new PieceByPiece(input, most), TYPE, LIMITS)) {
      collect(reader, parts);
    } catch (FormException e) {
      end = e.status() + e.getMessage();
    }
    assertTrue(parts.size() <= LIMITS.maxParts());
    return parts + end;
  }

  private static void collect(MultipartReader reader, List<Part> parts) throws IOException {
    for (FormPart part = reader.next(); part != null; part = reader.next()) {
      String content = new String(part.stream().readAllBytes(), ISO_8859_1);
      assertTrue(content.length() <= MOST_BYTES);
      parts.add(new Part(part.name(), part.fileName(), content));
    }
  }

  /** Null if there is no part, or a name that is not written: see MultipartBody.Builder. */
  private static @Nullable MultipartBody write(List<Part> parts) {
    MultipartBody.Builder form = MultipartBody.builder();
    for (Part part : parts) {
      Body body = Body.of(part.content.getBytes(ISO_8859_1));
      try {
        if (part.fileName == null) {
          form.add(part.name, body);
        } else {
          form.addFile(part.name, part.fileName, body);
        }
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().getBytes(US_ASCII).length > 0);
        return null;
      }
    }
    return parts.isEmpty() ? null : form.build();
  }
}
