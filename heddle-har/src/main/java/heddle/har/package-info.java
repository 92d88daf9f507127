/**
 * What a client sends and receives: {@link heddle.har.WireLog} shows it, {@link
 * heddle.har.HarRecorder} records it in the HTTP Archive format (HAR 1.2), and {@link
 * heddle.har.HarReplay} answers the requests of a test from such a file.
 */
@NullMarked
package heddle.har;

import org.jspecify.annotations.NullMarked;
