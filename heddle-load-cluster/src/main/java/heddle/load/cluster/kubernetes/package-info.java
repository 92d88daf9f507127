/** A load over many pods, as a Kubernetes job. */
@NullMarked
package heddle.load.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;
