package heddle.jersey.server;

import jakarta.annotation.Priority;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;

/**
 * Reports failures to write an entity. Jersey only logs them if the response has begun, and closes
 * it as if it were complete.
 */
@Priority(Integer.MIN_VALUE) // around all others
final class CutInterceptor implements WriterInterceptor {
  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    try {
      context.proceed();
    } catch (IOException | RuntimeException | Error e) {
      if (context.getProperty(ResponseWriter.PROPERTY) instanceof ResponseWriter writer) {
        writer.onFailedEntity(e);
      }
      throw e;
    }
  }
}
