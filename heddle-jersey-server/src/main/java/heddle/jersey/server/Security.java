package heddle.jersey.server;

import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** What is known of a request before a filter of the application has authenticated it. */
record Security(boolean isSecure) implements SecurityContext {
  @Override
  public @Nullable Principal getUserPrincipal() {
    return null;
  }

  @Override
  public boolean isUserInRole(String role) {
    return false;
  }

  @Override
  public @Nullable String getAuthenticationScheme() {
    return null;
  }
}
