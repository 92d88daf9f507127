/** Requests of Spring's clients over Heddle. */
@NullMarked
package heddle.adapters.spring;

import org.jspecify.annotations.NullMarked;
