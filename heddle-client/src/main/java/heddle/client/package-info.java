/** The client. */
@NullMarked
package heddle.client;

import org.jspecify.annotations.NullMarked;
