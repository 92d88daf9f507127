/** Benchmarks of single steps of a call, and of the heap per waiting request. Run by hand only. */
@NullMarked
package heddle.jmh;

import org.jspecify.annotations.NullMarked;
