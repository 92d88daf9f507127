/** How content comes to its reader, under jcstress. */
@NullMarked
package heddle.connection;

import org.jspecify.annotations.NullMarked;
