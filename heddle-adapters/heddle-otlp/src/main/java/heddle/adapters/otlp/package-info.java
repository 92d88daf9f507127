/** What OpenTelemetry's exporters over HTTP send, over Heddle. */
@NullMarked
package heddle.adapters.otlp;

import org.jspecify.annotations.NullMarked;
