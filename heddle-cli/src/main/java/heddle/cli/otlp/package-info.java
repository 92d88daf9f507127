/** Metrics of a load or a race for a collector, by OTLP over HTTP; loaded only when asked for. */
@NullMarked
package heddle.cli.otlp;

import org.jspecify.annotations.NullMarked;
