/** Goals of a run, as users write them. */
@NullMarked
package heddle.load.goal;

import org.jspecify.annotations.NullMarked;
