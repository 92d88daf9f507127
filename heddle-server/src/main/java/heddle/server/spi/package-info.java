/** What users of the server implement. */
@NullMarked
package heddle.server.spi;

import org.jspecify.annotations.NullMarked;
