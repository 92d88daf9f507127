/**
 * What the tests of several modules share: a watch for pinned threads, JVMs with few file
 * descriptors, class paths without an artifact, waiting for conditions, and what runs fuzz targets.
 * Never published.
 */
@NullMarked
package heddle.testwatch;

import org.jspecify.annotations.NullMarked;
