/** Which calls share which connection, and how many connections there may be. */
@NullMarked
package heddle.client.pool;

import org.jspecify.annotations.NullMarked;
