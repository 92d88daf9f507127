package heddle.codec.http1;

import static heddle.codec.http1.MessageCase.request;
import static heddle.codec.http1.MessageCase.response;

import heddle.http.Method;
import java.util.ArrayList;
import java.util.List;

/** Messages that RFC 9112 allows, and the events that they make. */
final class ValidMessages {
  private static final String CHUNKED_POST =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private final List<MessageCase> cases = new ArrayList<>();

  static List<MessageCase> all() {
    ValidMessages messages = new ValidMessages();
    messages.requests();
    messages.persistence();
    messages.requestTargets();
    messages.requestContent();
    messages.requestChunks();
    messages.responses();
    messages.responseContent();
    messages.foldedResponses();
    messages.handOver();
    return messages.cases;
  }

  private void requests() {
    cases.add(request(
        "a plain GET",
        "GET /hello HTTP/1.1\r\nHost: a:80\r\nX-Y:  a b\t\r\n\r\n",
        "request GET /hello HTTP/1.1",
        "Host: a:80",
        "X-Y: a b",
        "without content",
        "end"));
    cases.add(request(
        "an empty line first",
        "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "request GET / HTTP/1.1",
        "Host: a",
        "without content",
        "end"));
    cases.add(request(
        "odd but legal fields",
        "GET / HTTP/1.1\r\nHost:a\r\nE:\r\n!#$%&'*+-.^_`|~9: \u00e9\r\nx: 1\r\nX:2\r\n\r\n",
        "request GET / HTTP/1.1",
        "Host: a",
        "E: ",
        "!#$%&'*+-.^_`|~9: \u00e9",
        "x: 1",
        "X: 2",
        "without content",
        "end"));
    cases.add(request(
        "a method of its own",
        "get / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
        "request get / HTTP/1.1",
        "Host: [::1]:8080",
        "without content",
        "end"));
    cases.add(request(
        "a later minor version",
        "GET / HTTP/1.7\r\nHost: a\r\n\r\n",
        "request GET / HTTP/1.1",
        "Host: a",
        "without content",
        "end"));
  }

  private void persistence() {
    cases.add(request(
        "HTTP/1.0 closes",
        "GET / HTTP/1.0\r\n\r\n",
        "request GET / HTTP/1.0",
        "without content",
        "end",
        "closes"));
    cases.add(request(
        "HTTP/1.0 that persists",
        "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
        "request GET / HTTP/1.0",
        "Connection: Keep-Alive",
        "without content",
        "end",
        "request GET /2 HTTP/1.0",
        "without content",
        "end",
        "closes"));
    cases.add(request(
            "Connection: close",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\nGET /2 HTTP/1.1\r\n",
            "request GET / HTTP/1.1",
            "Host: a",
            "Connection: x, CLOSE",
            "without content",
            "end",
            "closes")
        .leaves("GET /2 HTTP/1.1\r\n"));
    cases.add(request(
        "pipelined",
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
            + "GET /3 HTTP/1.1\r\nHost: a\r\n\r\n",
        "request GET /1 HTTP/1.1",
        "Host: a",
        "without content",
        "end",
        "request POST /2 HTTP/1.1",
        "Host: a",
        "Content-Length: 2",
        "with content",
        "content hi",
        "end",
        "request GET /3 HTTP/1.1",
        "Host: a",
        "without content",
        "end"));
  }

  private void requestTargets() {
    String[] targets = {
      "/a?b=c%20d&e[]=|", "http://a", "http://a:80/b?c", "http://[::1]/", "//a", "/"
    };
    for (String target : targets) {
      cases.add(request(
          "target " + target,
          "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n",
          "request GET " + target + " HTTP/1.1",
          "Host: a",
          "without content",
          "end"));
    }
    cases.add(request(
        "asterisk-form",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "request OPTIONS * HTTP/1.1",
        "Host: a",
        "without content",
        "end"));
  }

  private void requestContent() {
    cases.add(request(
        "Content-Length",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "request PUT / HTTP/1.1",
        "Host: a",
        "Content-Length: 5",
        "with content",
        "content hello",
        "end"));
    cases.add(request(
        "a length with zeros first",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0005\r\n\r\nhello",
        "request PUT / HTTP/1.1",
        "Host: a",
        "Content-Length: 0005",
        "with content",
        "content hello",
        "end"));
    cases.add(request(
        "a length of zero",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "request PUT / HTTP/1.1",
        "Host: a",
        "Content-Length: 0",
        "without content",
        "end"));
    cases.add(request(
        "expects 100",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-Continue\r\n\r\nx",
        "request PUT / HTTP/1.1",
        "Host: a",
        "Content-Length: 1",
        "Expect: 100-Continue",
        "with content",
        "waits for 100",
        "content x",
        "end"));
    cases.add(request(
        "expects 100 in vain",
        "PUT / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx",
        "request PUT / HTTP/1.0",
        "Content-Length: 1",
        "Expect: 100-continue",
        "with content",
        "content x",
        "end",
        "closes"));
  }

  private void requestChunks() {
    cases.add(request(
        "chunks",
        CHUNKED_POST + "5\r\nhello\r\n0A;a=\"b\"\r\n, world...\r\n000\r\n\r\n",
        "request POST / HTTP/1.1",
        "Host: a",
        "Transfer-Encoding: chunked",
        "with content",
        "content hello, world...",
        "end"));
    cases.add(request(
        "extensions of all forms",
        CHUNKED_POST + "1;a\r\nx\r\n1;a=b;c=\"d \\\" ; \\\\\";e\r\ny\r\n0;f=\"\"\r\n\r\n",
        "request POST / HTTP/1.1",
        "Host: a",
        "Transfer-Encoding: chunked",
        "with content",
        "content xy",
        "end"));
    cases.add(request(
        "no chunk but the last",
        CHUNKED_POST + "0\r\n\r\n",
        "request POST / HTTP/1.1",
        "Host: a",
        "Transfer-Encoding: chunked",
        "with content",
        "end"));
    cases.add(request(
        "trailers",
        CHUNKED_POST + "1\r\nx\r\n0;last\r\nX-Sum: 1\r\nSet-Cookie: dropped\r\nY:\r\n\r\n",
        "request POST / HTTP/1.1",
        "Host: a",
        "Transfer-Encoding: chunked",
        "with content",
        "content x",
        "trailer X-Sum: 1",
        "trailer Y: ",
        "end"));
  }

  private void responses() {
    cases.add(response(
        "a plain 200",
        Method.GET,
        OK + "Content-Length: 2\r\nServer: s\r\n\r\nhi",
        "response 200 HTTP/1.1",
        "Content-Length: 2",
        "Server: s",
        "with content",
        "content hi",
        "end"));
    cases.add(response(
        "no reason",
        Method.GET,
        "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
        "response 404 HTTP/1.1",
        "Content-Length: 0",
        "without content",
        "end"));
    cases.add(response(
        "no space before no reason",
        Method.GET,
        "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n",
        "response 404 HTTP/1.1",
        "Content-Length: 0",
        "without content",
        "end"));
    cases.add(response(
        "a reason of many words",
        Method.GET,
        "HTTP/1.1 799 \u00dc n\tm\r\nContent-Length: 0\r\n\r\n",
        "response 799 HTTP/1.1",
        "Content-Length: 0",
        "without content",
        "end"));
    cases.add(response(
        "interim responses",
        Method.GET,
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\nLink: <x>\r\n\r\n" + OK
            + "Content-Length: 1\r\n\r\nx",
        "interim 100",
        "interim 103",
        "Link: <x>",
        "response 200 HTTP/1.1",
        "Content-Length: 1",
        "with content",
        "content x",
        "end"));
    cases.add(response(
        "Connection: close",
        Method.GET,
        OK + "Connection: close\r\nContent-Length: 1\r\n\r\nx",
        "response 200 HTTP/1.1",
        "Connection: close",
        "Content-Length: 1",
        "with content",
        "content x",
        "end",
        "closes"));
    cases.add(response(
        "HTTP/1.0 closes",
        Method.GET,
        "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
        "response 200 HTTP/1.0",
        "Content-Length: 1",
        "with content",
        "content x",
        "end",
        "closes"));
  }

  /** RFC 9112 §5.2: a user agent replaces each obs-fold by a space. */
  private void foldedResponses() {
    cases.add(response(
        "folded values",
        Method.GET,
        OK + "A: 1\r\n 2 \r\n\t 3:3\r\nB:\r\n  b\r\nC: c\r\n \r\n d\r\nD:\r\n \r\n"
            + "Content-Length: 2\r\n\r\nhi",
        "response 200 HTTP/1.1",
        "A: 1 2 3:3",
        "B: b",
        "C: c d",
        "D: ",
        "Content-Length: 2",
        "with content",
        "content hi",
        "end"));
    cases.add(response(
        "a folded length",
        Method.GET,
        OK + "Content-Length:\r\n 2\r\nA: 1\r\n\r\nhi",
        "response 200 HTTP/1.1",
        "Content-Length: 2",
        "A: 1",
        "with content",
        "content hi",
        "end"));
    cases.add(response(
        "a folded coding",
        Method.GET,
        OK + "Transfer-Encoding:\r\n\tchunked\r\n\r\n1\r\nx\r\n0\r\nSum: 1\r\n 2\r\n\r\n",
        "response 200 HTTP/1.1",
        "Transfer-Encoding: chunked",
        "with content",
        "content x",
        "trailer Sum: 1 2",
        "end"));
    cases.add(response(
        "a folded interim response",
        Method.GET,
        "HTTP/1.1 103 Early Hints\r\nLink: a,\r\n b\r\n\r\n" + OK + "Content-Length: 0\r\n\r\n",
        "interim 103",
        "Link: a, b",
        "response 200 HTTP/1.1",
        "Content-Length: 0",
        "without content",
        "end"));
    cases.add(response(
        "a folded close",
        Method.GET,
        OK + "Connection: a,\r\n close\r\nContent-Length: 0\r\n\r\n",
        "response 200 HTTP/1.1",
        "Connection: a, close",
        "Content-Length: 0",
        "without content",
        "end",
        "closes"));
  }

  private void responseContent() {
    cases.add(response(
        "HEAD",
        Method.HEAD,
        OK + "Content-Length: 500\r\n\r\n",
        "response 200 HTTP/1.1",
        "Content-Length: 500",
        "without content",
        "end"));
    cases.add(response(
        "HEAD of chunks",
        Method.HEAD,
        OK + "Transfer-Encoding: chunked\r\n\r\n",
        "response 200 HTTP/1.1",
        "Transfer-Encoding: chunked",
        "without content",
        "end"));
    cases.add(response(
        "204",
        Method.GET,
        "HTTP/1.1 204 No Content\r\n\r\n",
        "response 204 HTTP/1.1",
        "without content",
        "end"));
    cases.add(response(
        "304",
        Method.GET,
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
        "response 304 HTTP/1.1",
        "Content-Length: 9",
        "without content",
        "end"));
    cases.add(response(
            "a 204 that claims content is not trusted further",
            Method.GET,
            "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
            "response 204 HTTP/1.1",
            "Content-Length: 5",
            "without content",
            "end",
            "closes")
        .leaves("hello"));
    cases.add(response(
        "chunks and trailers",
        Method.GET,
        OK + "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\nX: 1\r\n\r\n",
        "response 200 HTTP/1.1",
        "Transfer-Encoding: Chunked",
        "with content",
        "content abc",
        "trailer X: 1",
        "end"));
    cases.add(response(
            "until close",
            Method.GET,
            OK + "\r\nall of it",
            "response 200 HTTP/1.1",
            "with content",
            "content all of it",
            "end")
        .thenClosed());
    cases.add(response(
            "nothing until close",
            Method.GET,
            OK + "\r\n",
            "response 200 HTTP/1.1",
            "with content",
            "end")
        .thenClosed());
  }

  private void handOver() {
    cases.add(response(
            "101",
            Method.GET,
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\n\u0001\u0002raw",
            "response 101 HTTP/1.1",
            "Upgrade: echo",
            "without content",
            "upgraded")
        .leaves("\u0001\u0002raw"));
    cases.add(response(
            "CONNECT",
            Method.CONNECT,
            OK + "Content-Length: 5\r\n\r\nraw",
            "response 200 HTTP/1.1",
            "Content-Length: 5",
            "without content",
            "upgraded")
        .leaves("raw"));
    cases.add(response(
        "CONNECT refused",
        Method.CONNECT,
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno",
        "response 403 HTTP/1.1",
        "Content-Length: 2",
        "with content",
        "content no",
        "end"));
  }
}
