/** What each optimisation of the engine is worth: the engine without it. */
@NullMarked
package heddle.bench.ablation;

import org.jspecify.annotations.NullMarked;
