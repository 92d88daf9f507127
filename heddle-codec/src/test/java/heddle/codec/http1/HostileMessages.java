package heddle.codec.http1;

import static heddle.codec.http1.MessageCase.badRequest;
import static heddle.codec.http1.MessageCase.badResponse;

import heddle.codec.ProtocolException.Violation;
import java.util.ArrayList;
import java.util.List;

/** Messages that must be refused, among them the published ways to smuggle a request. */
final class HostileMessages {
  private static final String[] BAD_CHUNKS = {
    "\r\n",
    "+5\r\nhello",
    "-1\r\n",
    " 5\r\nhello",
    "5 \r\nhello",
    "0x5\r\nhello",
    "5\nhello",
    "5\r5hello",
    "5;a\nhello\r\n",
    "5;a\u0000\r\nhello",
    "5 ;a\r\nhello",
    "g\r\n",
    "8000000000000000\r\n",
    "fffffffffffffffff\r\n",
    "00000000000000005\r\nhello",
    "5\r\nhellox\r\n0\r\n\r\n",
    "5\r\nhello\n0\r\n\r\n",
    "5\r\nhello\r0\r\n\r\n",
    "5\r\nhello0\r\n\r\n",
    "5;a=\"\r\r\nhello",
    "0\n\n",
    ";a\r\n",
    "5,5\r\n",
    "5_0\r\n",
    "0x0\r\n\r\n",
    "+0\r\n\r\n",
    "\t5\r\nhello",
    "5\t\r\nhello",
    "5\u0000\r\nhello",
    "5\u000b\r\nhello",
    "\"5\"\r\nhello",
    "5;a\r;b\r\nhello",
    "5;a=\"b\r\nhello\r\n0\r\n\r\n",
    "5;a=\"b\\\"\r\nhello\r\n0\r\n\r\n",
    "5;a=\"b\rc\"\r\nhello\r\n0\r\n\r\n",
    "5;a=\"b\nc\"\r\nhello\r\n0\r\n\r\n",
    "5\r\nhello5\r\nhello\r\n0\r\n\r\n",
    "5\r\nhelloXX0\r\n\r\n",
    "5\r\nhello\n\r0\r\n\r\n",
    "5\r\nhello\r\r\n0\r\n\r\n",
    "5\r\nhello\r\n\r\n0\r\n\r\n",
    "5\r\nhello\r\n 0\r\n\r\n",
    "5\r\r\nhello",
    "0\r\r\n\r\n",
    "7fffffffffffffff0\r\n",
    "ffffffffffffffff\r\n",
    "100000005\r5\r\nhello"
  };

  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";
  private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private final List<MessageCase> cases = new ArrayList<>();

  static List<MessageCase> all() {
    HostileMessages messages = new HostileMessages();
    messages.startLines();
    messages.aroundTheRequestLine();
    messages.targets();
    messages.fields();
    messages.hosts();
    messages.lengths();
    messages.codings();
    messages.chunks();
    messages.statusLines();
    messages.responses();
    messages.truncated();
    return messages.cases;
  }

  private void request(String name, Violation violation, String input) {
    cases.add(badRequest(name, violation, input));
  }

  private void response(String name, Violation violation, String input) {
    cases.add(badResponse(name, violation, input));
  }

  private void startLine(String name, Violation violation, String line) {
    request(name, violation, line + "\r\nHost: a\r\n\r\n");
  }

  private void startLines() {
    Violation malformed = Violation.MALFORMED_START_LINE;
    startLine("two spaces before the target", malformed, "GET  / HTTP/1.1");
    startLine("two spaces after the target", malformed, "GET /  HTTP/1.1");
    startLine("a tab for a space", malformed, "GET\t/ HTTP/1.1");
    startLine("a space before the method", malformed, " GET / HTTP/1.1");
    startLine("a space after the version", malformed, "GET / HTTP/1.1 ");
    startLine("no version (HTTP/0.9)", malformed, "GET /");
    startLine("no target", malformed, "GET HTTP/1.1");
    startLine("a method that is no token", malformed, "G(T / HTTP/1.1");
    startLine("a version in small letters", malformed, "GET / http/1.1");
    startLine("a version of two digits", malformed, "GET / HTTP/1.10");
    startLine("a version without a dot", malformed, "GET / HTTP/11");
    startLine("another protocol", Violation.OTHER_PROTOCOL, "GET / ICAP/1.0");
    startLine("no protocol", Violation.OTHER_PROTOCOL, "INVALID CONNECTION PREFACE");
    startLine("half a protocol", Violation.OTHER_PROTOCOL, "GET / HTT");
    startLine("a number for the protocol", malformed, "GET / 1.1");
    startLine("a space in the target", malformed, "GET /a b HTTP/1.1");
    request("two empty lines first", malformed, "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    request("a TLS handshake", malformed, "\u0016\u0003\u0001\u0002\u0000\u0001");
    startLine("HTTP/2.0", Violation.UNSUPPORTED_VERSION, "GET / HTTP/2.0");
    startLine("HTTP/0.9 spelt out", Violation.UNSUPPORTED_VERSION, "GET / HTTP/0.9");
    request("the preface of HTTP/2", Violation.UNSUPPORTED_VERSION, "PRI * HTTP/2.0\r\n\r\nSM\r\n");
    startLine("a CR in the line", Violation.BARE_LINE_ENDING, "GET /\r HTTP/1.1");
    request("LF alone", Violation.BARE_LINE_ENDING, "GET / HTTP/1.1\nHost: a\n\n");
    request("LF first of all", Violation.BARE_LINE_ENDING, "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    startLine("longer than the limit", Violation.START_LINE_TOO_LONG, "GET /" + "a".repeat(20_000));
    request("no end of the line", Violation.START_LINE_TOO_LONG, "G".repeat(20_000));
  }

  /** CVE-2026-50020, CVE-2026-28367 to 28369: what some skip or take for a separator. */
  private void aroundTheRequestLine() {
    Violation malformed = Violation.MALFORMED_START_LINE;
    String get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    String[] octets = {"\u0000", "\t", "\u000b", "\f", " ", "\u001c", "\u0085", "\u00a0", "\u007f"};
    for (String octet : octets) {
      String named = "0x" + Integer.toHexString(octet.charAt(0));
      request(named + " before the request line", malformed, octet + get);
      request(named + " after an empty line", malformed, "\r\n" + octet + get);
      startLine(named + " for the first space", malformed, "GET" + octet.repeat(2) + "/ HTTP/1.1");
      startLine(named + " for the second space", malformed, "GET /" + octet.repeat(2) + "HTTP/1.1");
      startLine(named + " after the version", malformed, "GET / HTTP/1.1" + octet);
      startLine(named + " in the method", malformed, "G" + octet + "T / HTTP/1.1");
    }
    for (String octet : new String[] {"\u0000", "\u000b", "\f", "\u007f", "\u0085", "\t"}) {
      String named = "0x" + Integer.toHexString(octet.charAt(0));
      startLine(
          named + " in the target", Violation.MALFORMED_TARGET, "GET /" + octet + " HTTP/1.1");
    }
    Violation bare = Violation.BARE_LINE_ENDING;
    request("CR before the request line", bare, "\r" + get);
    request("CR twice before CRLF", bare, "\r\r\n" + get);
    request("LF after an empty line", bare, "\r\n\n" + get);
    request("LF and CR", bare, "\n\r" + get);
    request("CR alone ends the lines", bare, "GET / HTTP/1.1\rHost: a\r\r\n");
    request("CR twice after the version", bare, "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n");
    request("LF ends the request line", bare, "GET / HTTP/1.1\nHost: a\r\n\r\n");
    request("three empty lines", malformed, "\r\n\r\n\r\n" + get);
    request("empty lines for ever", malformed, "\r\n".repeat(100_000));
    request("HTTP/0.9 as a browser of 1991", malformed, "GET /\r\n");
    request("HTTP/0.9 with a space", malformed, "GET / \r\n");
    request("HTTP/0.9 of LF", bare, "GET /\n");
    request("HTTP/0.9 behind a request", malformed, get + "GET /\r\n");
    request("control bytes behind a request", malformed, get + "\u0000" + get);
    request("a space behind a request", malformed, get + " " + get);
    request("two empty lines behind a request", malformed, get + "\r\n\r\n" + get);
  }

  private void targets() {
    String[] bad = {
      "a",
      "*",
      "//\u00e9",
      "/\u007f",
      "/#fragment",
      "http:///",
      "http://u@a/",
      "http://a:99999/",
      "http:/a",
      "://a/",
      "h ttp://a/",
      "http://a b/"
    };
    for (String target : bad) {
      startLine(
          "target " + target,
          target.contains(" ") ? Violation.MALFORMED_START_LINE : Violation.MALFORMED_TARGET,
          "GET " + target + " HTTP/1.1");
    }
    for (String target : new String[] {"/", "a", "a:", "http://a:1/", "a:1/", "u@a:1", "[::1:1"}) {
      startLine("CONNECT " + target, Violation.MALFORMED_TARGET, "CONNECT " + target + " HTTP/1.1");
    }
  }

  private void field(String name, Violation violation, String line) {
    request(name, violation, "GET / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n");
  }

  private void fields() {
    Violation malformed = Violation.MALFORMED_FIELD;
    field("a space before the colon", malformed, "X : 1");
    field("a tab before the colon", malformed, "Transfer-Encoding\t: chunked");
    field("Content-Length and a space before the colon", malformed, "Content-Length : 5");
    field("no colon", malformed, "X");
    field("no name", malformed, ": 1");
    field("a name with a space", malformed, "X Y: 1");
    field("a name with NUL", malformed, "X\u0000: 1");
    field("a name beyond ASCII", malformed, "X\u00e9: 1");
    field("a name with a vertical tab (CVE-2019-16869's kin)", malformed, "\u000bX: 1");
    field("NUL in a value", malformed, "X: a\u0000b");
    field("DEL in a value", malformed, "X: a\u007fb");
    field("an escape in a value", malformed, "X: \u001b[2J");
    field("a form feed before a value", malformed, "Transfer-Encoding: \u000cchunked");
    field("a bare CR in a value", Violation.BARE_LINE_ENDING, "X: a\rb");
    field("a CR and a smuggled field", Violation.BARE_LINE_ENDING, "X: a\rContent-Length: 5");
    field("a CR before CRLF", Violation.BARE_LINE_ENDING, "X: a\r");
    field("a bare LF in a value", Violation.BARE_LINE_ENDING, "X: a\nY: b");
    field("obs-fold", Violation.OBSOLETE_FOLDING, "X: a\r\n b");
    field("obs-fold with a tab", Violation.OBSOLETE_FOLDING, "X: Transfer-Encoding:\r\n\tchunked");
    request(
        "white space before the first field",
        Violation.OBSOLETE_FOLDING,
        "GET / HTTP/1.1\r\n Host: a\r\n\r\n");
    request(
        "LF ends the head",
        Violation.BARE_LINE_ENDING,
        "GET / HTTP/1.1\r\nHost: a\r\n\nGET /b HTTP/1.1\r\n\r\n");
    field("201 fields", Violation.TOO_MANY_FIELDS, "X: 1\r\n".repeat(200) + "X: 1");
    field("a head without end", Violation.HEAD_TOO_LARGE, "X: " + "a".repeat(70_000));
    field("a large head of many lines", Violation.HEAD_TOO_LARGE, longLines());
  }

  private static String longLines() {
    return ("X: " + "a".repeat(1_000) + "\r\n").repeat(70) + "X: 1";
  }

  private void hosts() {
    request("no Host", Violation.BAD_HOST, "GET / HTTP/1.1\r\n\r\n");
    request("two Hosts", Violation.BAD_HOST, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
    request("two Hosts in 1.0", Violation.BAD_HOST, "GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n");
    String[] bad = {"", "a b", "a/b", "u@a", "a:b", "a:1:2", "[::1", "::1", "a:70000", "%zz"};
    for (String host : bad) {
      request("Host: " + host, Violation.BAD_HOST, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }
  }

  private void lengths() {
    String[] bad = {
      "",
      "+5",
      "-5",
      "5 5",
      "5, 5",
      "5,6",
      "0x5",
      "5.0",
      "five",
      "5;",
      "\"5\"",
      "9223372036854775808",
      "18446744073709551616",
      "99999999999999999999999999",
      "5_0",
      "1e1"
    };
    for (String length : bad) {
      request(
          "Content-Length: " + length,
          Violation.BAD_CONTENT_LENGTH,
          POST + "Content-Length: " + length + "\r\n\r\nhello");
      response(
          "Content-Length: " + length,
          Violation.BAD_CONTENT_LENGTH,
          OK + "Content-Length: " + length + "\r\n\r\nhello");
    }
    request(
        "Content-Length twice, the same",
        Violation.BAD_CONTENT_LENGTH,
        POST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello");
    request(
        "Content-Length twice, differing (CVE-2024-23452's kin)",
        Violation.BAD_CONTENT_LENGTH,
        POST + "Content-Length: 0\r\ncontent-length: 5\r\n\r\nhello");
    request(
        "CONNECT with content",
        Violation.UNEXPECTED_CONTENT,
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 3\r\n\r\nabc");
  }

  private void codings() {
    request(
        "CL.TE",
        Violation.AMBIGUOUS_LENGTH,
        POST + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG");
    request(
        "TE.CL",
        Violation.AMBIGUOUS_LENGTH,
        POST + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n8\r\nSMUGGLED\r\n0\r\n\r\n");
    request(
        "HTTP/1.0 with both lengths (CVE-2026-42581)",
        Violation.AMBIGUOUS_LENGTH,
        "POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 5\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    request(
        "HTTP/1.0 with both lengths, the other first",
        Violation.AMBIGUOUS_LENGTH,
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n");
    response(
        "a response of HTTP/1.0 with both lengths",
        Violation.AMBIGUOUS_LENGTH,
        "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    response(
        "both lengths",
        Violation.AMBIGUOUS_LENGTH,
        OK + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n");
    coding("chunked twice", Violation.BAD_TRANSFER_ENCODING, "chunked, chunked");
    coding("chunked not last", Violation.BAD_TRANSFER_ENCODING, "chunked, gzip");
    coding("chunked with a parameter", Violation.BAD_TRANSFER_ENCODING, "chunked;q=1");
    coding("an empty coding", Violation.BAD_TRANSFER_ENCODING, "");
    coding("a trailing comma", Violation.BAD_TRANSFER_ENCODING, "chunked,");
    coding("a quoted coding", Violation.BAD_TRANSFER_ENCODING, "\"chunked\"");
    coding("an unknown coding", Violation.UNSUPPORTED_TRANSFER_CODING, "xchunked");
    coding("identity", Violation.UNSUPPORTED_TRANSFER_CODING, "identity");
    coding("gzip first", Violation.UNSUPPORTED_TRANSFER_CODING, "gzip, chunked");
    coding(
        "an obfuscated second coding (TE.TE)",
        Violation.BAD_TRANSFER_ENCODING,
        "chunked\r\nTransfer-Encoding: x");
    coding(
        "chunked in two fields",
        Violation.BAD_TRANSFER_ENCODING,
        "chunked\r\nTransfer-Encoding: chunked");
    request(
        "chunked in HTTP/1.0",
        Violation.BAD_TRANSFER_ENCODING,
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    response(
        "chunked in a response of HTTP/1.0",
        Violation.BAD_TRANSFER_ENCODING,
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  }

  private void coding(String name, Violation violation, String value) {
    request(name, violation, POST + "Transfer-Encoding: " + value + "\r\n\r\n0\r\n\r\n");
  }

  private void chunks() {
    Violation malformed = Violation.MALFORMED_CHUNK;
    for (String chunk : BAD_CHUNKS) {
      response(
          "chunk " + chunk.replace("\r", "␍").replace("\n", "␊"),
          malformed,
          OK + "Transfer-Encoding: chunked\r\n\r\n" + chunk);
      request("chunk " + chunk.replace("\r", "␍").replace("\n", "␊"), malformed, CHUNKED + chunk);
    }
    request(
        "LF ends a chunk extension (CVE-2025-58056)",
        malformed,
        CHUNKED + "2;\n\nxx\r\n1d\r\n0\r\n\r\nGET /two HTTP/1.1\r\n\r\n");
    Violation overhead = Violation.CHUNK_OVERHEAD_TOO_LARGE;
    request("an extension without end", overhead, CHUNKED + "5;" + "a".repeat(20_000));
    request(
        "extensions that add up (CVE-2023-39326)",
        overhead,
        CHUNKED + ("1;" + "a".repeat(999) + "\r\nx\r\n").repeat(20));
    request("trailers too long", overhead, CHUNKED + "0\r\nX: " + "a".repeat(20_000) + "\r\n\r\n");
    request(
        "too many trailers",
        Violation.TOO_MANY_FIELDS,
        CHUNKED + "0\r\n" + "X: 1\r\n".repeat(201) + "\r\n");
    String[] trailers = {
      "Content-Length: 3", "Transfer-Encoding: chunked", "Host: b", "Connection: close"
    };
    for (String trailer : trailers) {
      request(
          "trailer " + trailer,
          Violation.FORBIDDEN_TRAILER,
          CHUNKED + "0\r\n" + trailer + "\r\n\r\n");
    }
    request(
        "a request in the place of the last chunk's end",
        Violation.MALFORMED_FIELD,
        CHUNKED + "0\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
    request("LF for the trailers' end", Violation.BARE_LINE_ENDING, CHUNKED + "0\r\n\n");
    request("CR for the trailers' end", Violation.BARE_LINE_ENDING, CHUNKED + "0\r\n\rX: 1\r\n");
    request("LF in trailers", Violation.BARE_LINE_ENDING, CHUNKED + "0\r\nX: 1\n\r\n");
    request("a bad trailer", Violation.MALFORMED_FIELD, CHUNKED + "0\r\nX : 1\r\n\r\n");
    request("a folded trailer", Violation.OBSOLETE_FOLDING, CHUNKED + "0\r\nX: 1\r\n 2\r\n\r\n");
  }

  private void statusLines() {
    String[] bad = {
      "HTTP/1.1 20 OK",
      "HTTP/1.1 2000 OK",
      "HTTP/1.1  200 OK",
      "HTTP/1.1 200OK",
      "HTTP/1.1200 OK",
      "HTTP/1.1 099 OK",
      "HTTP/1.1 +20 OK",
      "HTTP/1.1",
      "HTTP/1.1 ",
      "HTTP/1.1 2x0 OK",
      "HTTP/1.x 200 OK",
      "http/1.1 200 OK",
      "HTTP/1.1 200 O\u0000K",
      "HTTP/1.1\t200\tOK",
      "SSH-2.0-OpenSSH_9.2",
      "",
      "ICY 200 OK"
    };
    for (String line : bad) {
      response("status line " + line, Violation.MALFORMED_START_LINE, line + "\r\n\r\n");
    }
    response("HTTP/2", Violation.UNSUPPORTED_VERSION, "HTTP/2.0 200 OK\r\n\r\n");
    response("a CR in the reason", Violation.BARE_LINE_ENDING, "HTTP/1.1 200 O\rK\r\n\r\n");
    response("LF after the status", Violation.BARE_LINE_ENDING, "HTTP/1.1 200 OK\nX: 1\r\n\r\n");
    response("HTTP/0.9", Violation.MALFORMED_START_LINE, "<html>Hello!</html>");
    response("HTTP/0.9 that begins with H", Violation.MALFORMED_START_LINE, "Hello!\r\n\r\n");
    response("an empty line first", Violation.MALFORMED_START_LINE, "\r\n" + OK + "\r\n");
    response("NUL first", Violation.MALFORMED_START_LINE, "\u0000" + OK + "\r\n");
    response("garbage", Violation.MALFORMED_START_LINE, "\u0001\u0002\u0003");
    response("half a protocol", Violation.MALFORMED_START_LINE, "220 smtp ready");
    response(
        "a reason without end", Violation.START_LINE_TOO_LONG, OK.strip() + "a".repeat(20_000));
  }

  private void responses() {
    response(
        "nine interim responses",
        Violation.TOO_MANY_INTERIM_RESPONSES,
        "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(9) + OK + "Content-Length: 0\r\n\r\n");
    response(
        "bytes after the response",
        Violation.UNSOLICITED_RESPONSE,
        OK + "Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n");
    response("a bad field", Violation.MALFORMED_FIELD, OK + "X : 1\r\n\r\n");
    response(
        "white space before the first field of a response",
        Violation.OBSOLETE_FOLDING,
        OK + " X: 1\r\n\r\n");
    response(
        "a length folded in two",
        Violation.BAD_CONTENT_LENGTH,
        OK + "Content-Length: 1\r\n 2\r\n\r\nhi");
    response(
        "a length twice, once folded",
        Violation.BAD_CONTENT_LENGTH,
        OK + "Content-Length:\r\n 2\r\nContent-Length: 2\r\n\r\nhi");
    response(
        "an empty length", Violation.BAD_CONTENT_LENGTH, OK + "Content-Length:\r\nX: 1\r\n\r\nhi");
    response(
        "an empty length at the end", Violation.BAD_CONTENT_LENGTH, OK + "Content-Length:\r\n\r\n");
    response(
        "a folded coding and a length",
        Violation.AMBIGUOUS_LENGTH,
        OK + "Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n\r\nhi");
    response(
        "a folded coding that is unknown",
        Violation.UNSUPPORTED_TRANSFER_CODING,
        OK + "Transfer-Encoding:\r\n br\r\n\r\n");
    response("NUL in a folded line", Violation.MALFORMED_FIELD, OK + "X: 1\r\n a\u0000\r\n\r\n");
    response(
        "a bare CR in a folded line", Violation.BARE_LINE_ENDING, OK + "X: 1\r\n a\rb\r\n\r\n");
    response("a bare LF before a fold", Violation.BARE_LINE_ENDING, OK + "X: 1\n a\r\n\r\n");
    response(
        "folds without end", Violation.HEAD_TOO_LARGE, OK + "X: 1\r\n" + " a\r\n".repeat(20_000));
    response(
        "201 fields, one folded",
        Violation.TOO_MANY_FIELDS,
        OK + "X: 1\r\n 2\r\n" + "X: 1\r\n".repeat(200) + "\r\n");
    response(
        "folded trailers without end",
        Violation.CHUNK_OVERHEAD_TOO_LARGE,
        OK + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n" + " a\r\n".repeat(20_000));
    response(
        "an unknown coding",
        Violation.UNSUPPORTED_TRANSFER_CODING,
        OK + "Transfer-Encoding: br\r\n\r\n");
    response(
        "a bad chunk",
        Violation.MALFORMED_CHUNK,
        OK + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n");
  }

  private void truncated() {
    Violation head = Violation.CLOSED_IN_HEAD;
    Violation content = Violation.CLOSED_IN_CONTENT;
    Violation chunks = Violation.CLOSED_IN_CHUNKS;
    Violation nothing = Violation.CLOSED_BEFORE_HEAD;
    cases.add(badRequest("a cut request line", head, "GET /").thenClosed());
    cases.add(badRequest("a cut head", head, "GET / HTTP/1.1\r\nHost: a\r\n").thenClosed());
    cases.add(badRequest("cut content", content, POST + "Content-Length: 5\r\n\r\nhel")
        .thenClosed());
    cases.add(badRequest("a cut chunk", chunks, CHUNKED + "5\r\nhel").thenClosed());
    cases.add(badRequest("no last chunk", chunks, CHUNKED + "5\r\nhello\r\n").thenClosed());
    cases.add(
        badRequest("no end of trailers", chunks, CHUNKED + "0\r\nX: 1\r\n").thenClosed());
    cases.add(badResponse("a cut status line", head, "HTTP/1.1 200").thenClosed());
    cases.add(badResponse("no response", nothing, "").thenClosed());
    cases.add(
        badResponse("cut after an interim", nothing, "HTTP/1.1 100 C\r\n\r\n").thenClosed());
    cases.add(
        badResponse("cut answer", content, OK + "Content-Length: 5\r\n\r\nhell").thenClosed());
    cases.add(badResponse("cut chunks", chunks, OK + "Transfer-Encoding: chunked\r\n\r\n0\r\n")
        .thenClosed());
  }
}
