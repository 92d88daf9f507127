/** Breaks a rule on purpose. */
@NullMarked
package heddle.verify.sample.transport;

import org.jspecify.annotations.NullMarked;
