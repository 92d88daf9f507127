/** OpenTelemetry's exporters over HTTP, with Heddle as their sender. */
@NullMarked
package heddle.adapters.otlp;

import org.jspecify.annotations.NullMarked;
