/** Calls of Jersey's client (JAX-RS), as it comes and over Heddle. */
@NullMarked
package heddle.examples.jersey;

import org.jspecify.annotations.NullMarked;
