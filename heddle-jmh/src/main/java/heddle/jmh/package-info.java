/** What single steps of a call cost, and what a request that waits holds. Run by hand only. */
@NullMarked
package heddle.jmh;

import org.jspecify.annotations.NullMarked;
