package heddle.adapters.jersey;

import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;

/**
 * A response as Jersey is given it.
 *
 * @param entity what its entity is read from, which any thread may close: the response itself
 *     belongs to the thread that reads it
 */
record Received(ClientResponse response, InputStream entity) {
  /**
   * A response of ours, which is closed when its entity is, or here where it has none.
   *
   * @throws IOException if its content cannot be opened
   */
  static Received of(ClientRequest request, Response response) throws IOException {
    ClientResponse told = Messages.head(request, response);
    InputStream entity = Messages.entity(request, response);
    told.setEntityStream(entity);
    return new Received(told, entity);
  }
}
