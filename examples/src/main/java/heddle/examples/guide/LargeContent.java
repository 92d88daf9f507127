package heddle.examples.guide;

import heddle.brotli.BrotliCoding;
import heddle.client.Download;
import heddle.client.DuplexCall;
import heddle.client.HttpClient;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.MultipartBody;
import heddle.http.Request;
import heddle.http.Response;
import heddle.zstd.ZstdCoding;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The code of docs/guide/large-content.md. */
final class LargeContent {
  private LargeContent() {}

  static void download(HttpClient client, String url, Path file) throws IOException {
    // doc: download
    long bytes = Download.to(file)
        .resume()
        .progress((received, total) -> System.out.printf("\r%d of %d bytes", received, total))
        .from(client, url);
    // doc: end
    System.out.println(bytes);
  }

  static void lines(HttpClient client, String url) throws IOException {
    // doc: lines
    try (Response response = client.get(url).requireSuccess();
        var lines = new BufferedReader(
            new InputStreamReader(response.body().stream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(line);
      }
    }
    // doc: end
  }

  static void upload(HttpClient client, String url, Path file) throws IOException {
    // doc: upload
    Request upload = Request.builder(url)
        .method(Method.PUT)
        .body(Body.of(file, MediaType.OCTET_STREAM))
        .expectContinue() // the server may refuse before a byte of content is sent
        .build();
    client.send(upload).requireSuccess().close();
    // doc: end
  }

  static void multipart(HttpClient client, String url, Path report) throws IOException {
    // doc: multipart
    Body form = MultipartBody.builder()
        .add("title", "The year in figures")
        .addFile("report", report, MediaType.parse("application/pdf"))
        .build();
    client.post(url, form).requireSuccess().close();
    // doc: end
  }

  static HttpClient codings() {
    // doc: codings
    HttpClient client = HttpClient.builder()
        .contentCodings(DecodingLimits.DEFAULTS, List.of(new BrotliCoding()))
        .build();
    // doc: end
    return client;
  }

  static void compress(HttpClient client, String url, Path log) throws IOException {
    // doc: compress
    Request upload = Request.post(url, Body.of(log, MediaType.TEXT_PLAIN_UTF8));
    client.send(new ZstdCoding().compress(upload)).requireSuccess().close();
    // doc: end
  }

  static void conversation(HttpClient client, String url) throws IOException {
    // doc: conversation
    Request request = Request.post(url, Body.empty());
    try (DuplexCall call = client.open(request)) {
      OutputStream out = call.output();
      out.write("first\n".getBytes(StandardCharsets.UTF_8));
      try (Response response = call.response()) {
        var answers = new BufferedReader(
            new InputStreamReader(response.body().stream(), StandardCharsets.UTF_8));
        System.out.println(answers.readLine());
        out.write("second\n".getBytes(StandardCharsets.UTF_8));
        System.out.println(answers.readLine());
        out.close();
      }
    }
    // doc: end
  }
}
