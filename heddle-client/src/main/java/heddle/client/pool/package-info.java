/** Who shares which connection, and how many there may be. */
@NullMarked
package heddle.client.pool;

import org.jspecify.annotations.NullMarked;
