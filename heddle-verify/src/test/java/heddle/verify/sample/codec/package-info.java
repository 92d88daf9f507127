/** Breaks a rule on purpose. */
@NullMarked
package heddle.verify.sample.codec;

import org.jspecify.annotations.NullMarked;
