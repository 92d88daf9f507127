/** How output is written by one thread for all, under jcstress. */
@NullMarked
package heddle.connection.http2;

import org.jspecify.annotations.NullMarked;
