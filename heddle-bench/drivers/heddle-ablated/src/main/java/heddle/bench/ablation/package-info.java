/** Switches optimisations of the engine off, to measure what each is worth. */
@NullMarked
package heddle.bench.ablation;

import org.jspecify.annotations.NullMarked;
