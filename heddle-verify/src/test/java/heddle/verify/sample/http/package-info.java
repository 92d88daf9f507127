/** Breaks a rule on purpose. */
@NullMarked
package heddle.verify.sample.http;

import org.jspecify.annotations.NullMarked;
