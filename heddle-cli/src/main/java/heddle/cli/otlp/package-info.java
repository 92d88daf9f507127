/** Exports metrics of a load or a race by OTLP over HTTP; loaded only if needed. */
@NullMarked
package heddle.cli.otlp;

import org.jspecify.annotations.NullMarked;
