/** One call from start to end. */
@NullMarked
package heddle.client.call;

import org.jspecify.annotations.NullMarked;
