/** What a flight recording sees of the client: its events, each a class. */
@NullMarked
package heddle.client.jfr;

import org.jspecify.annotations.NullMarked;
