/** A load over many pods, as a Kubernetes job. */
@NullMarked
package heddle.bench.kubernetes;

import org.jspecify.annotations.NullMarked;
