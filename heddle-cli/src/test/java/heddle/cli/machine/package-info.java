@NullMarked
package heddle.cli.machine;

import org.jspecify.annotations.NullMarked;
