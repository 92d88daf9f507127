/** Asynchronous calls of other clients, as they come and over Heddle. */
@NullMarked
package heddle.examples.async;

import org.jspecify.annotations.NullMarked;
