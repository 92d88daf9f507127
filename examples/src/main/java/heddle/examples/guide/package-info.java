/** The code of the pages in docs/guide, one class for each. */
@NullMarked
package heddle.examples.guide;

import org.jspecify.annotations.NullMarked;
