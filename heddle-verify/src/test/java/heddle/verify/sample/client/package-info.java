/** Breaks a rule on purpose. */
@NullMarked
package heddle.verify.sample.client;

import org.jspecify.annotations.NullMarked;
