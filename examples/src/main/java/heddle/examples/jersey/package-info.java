/** Calls of Jersey's client (JAX-RS), unchanged and over Heddle. */
@NullMarked
package heddle.examples.jersey;

import org.jspecify.annotations.NullMarked;
