@NullMarked
package heddle.cli.otlp;

import org.jspecify.annotations.NullMarked;
