/** Why a call failed: a name for each cause, all of them an {@link heddle.http.HttpException}. */
@NullMarked
package heddle.http.failure;

import org.jspecify.annotations.NullMarked;
