/** Breaks a rule on purpose. */
@NullMarked
package heddle.verify.sample.lost;

import org.jspecify.annotations.NullMarked;
