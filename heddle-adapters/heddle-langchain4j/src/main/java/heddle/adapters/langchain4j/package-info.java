/** LangChain4j's HTTP client over Heddle. */
@NullMarked
package heddle.adapters.langchain4j;

import org.jspecify.annotations.NullMarked;
