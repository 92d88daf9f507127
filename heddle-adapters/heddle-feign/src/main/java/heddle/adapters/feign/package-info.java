/** Feign's clients over Heddle. */
@NullMarked
package heddle.adapters.feign;

import org.jspecify.annotations.NullMarked;
