package heddle.adapters.jdk;

import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.ResponseInfo;

/** The head of a response. */
record ResponseHead(int statusCode, HttpHeaders headers, Version version) implements ResponseInfo {}
