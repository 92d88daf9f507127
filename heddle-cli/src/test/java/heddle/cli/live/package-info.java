@NullMarked
package heddle.cli.live;

import org.jspecify.annotations.NullMarked;
