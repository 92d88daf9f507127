/** The transport of Elasticsearch's Java client over Heddle. */
@NullMarked
package heddle.adapters.elasticsearch;

import org.jspecify.annotations.NullMarked;
