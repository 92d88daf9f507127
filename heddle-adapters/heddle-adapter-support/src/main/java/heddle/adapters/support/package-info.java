/** What several adapters need. Made for them alone: it changes as they do. */
@NullMarked
package heddle.adapters.support;

import org.jspecify.annotations.NullMarked;
