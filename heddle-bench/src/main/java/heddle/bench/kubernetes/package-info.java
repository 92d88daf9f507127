/** A load over many pods, as a job of Kubernetes. */
@NullMarked
package heddle.bench.kubernetes;

import org.jspecify.annotations.NullMarked;
