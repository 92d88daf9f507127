/** Heddle's client under the AWS SDK for Java 2. */
@NullMarked
package heddle.adapters.aws;

import org.jspecify.annotations.NullMarked;
