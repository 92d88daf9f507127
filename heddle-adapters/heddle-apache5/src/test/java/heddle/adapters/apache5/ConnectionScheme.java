package heddle.adapters.apache5;

import java.security.Principal;
import java.util.Map;
import org.apache.hc.client5.http.auth.AuthChallenge;
import org.apache.hc.client5.http.auth.AuthScheme;
import org.apache.hc.client5.http.auth.CredentialsProvider;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/** A scheme that authenticates a connection once and for all, as NTLM does. */
final class ConnectionScheme implements AuthScheme {
  @Override
  public String getName() {
    return "Mine";
  }

  @Override
  public boolean isConnectionBased() {
    return true;
  }

  @Override
  public void processChallenge(AuthChallenge challenge, HttpContext context) {}

  @Override
  public boolean isChallengeComplete() {
    return false;
  }

  @Override
  public @Nullable String getRealm() {
    return null;
  }

  @Override
  public boolean isResponseReady(
      HttpHost host, CredentialsProvider credentials, HttpContext context) {
    return true;
  }

  @Override
  public @Nullable Principal getPrincipal() {
    return null;
  }

  @Override
  public String generateAuthResponse(HttpHost host, HttpRequest request, HttpContext context) {
    return "Mine " + Map.of();
  }
}
