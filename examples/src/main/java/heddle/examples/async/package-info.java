/** Asynchronous calls of other clients, unchanged and over Heddle. */
@NullMarked
package heddle.examples.async;

import org.jspecify.annotations.NullMarked;
