package heddle.adapters.jersey;

import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;

/**
 * A response for Jersey.
 *
 * @param entity the stream of its entity, which any thread may close; the response itself belongs
 *     to the reading thread
 */
record Received(ClientResponse response, InputStream entity) {
  /**
   * Converts a response. Closing its entity closes it; without content it is closed here.
   *
   * @throws IOException if the content cannot be opened
   */
  static Received of(ClientRequest request, Response response) throws IOException {
    ClientResponse told = Messages.head(request, response);
    InputStream entity = Messages.entity(request, response);
    told.setEntityStream(entity);
    return new Received(told, entity);
  }
}
