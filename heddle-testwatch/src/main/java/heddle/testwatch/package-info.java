/** What the tests of every module are watched for while they run: threads that are pinned. */
@NullMarked
package heddle.testwatch;

import org.jspecify.annotations.NullMarked;
