package heddle.bench.driver;

/**
 * One HTTP client under test.
 *
 * <p>The order is {@link #start}, then {@code prepare} and any number of exchanges from many
 * threads at once, then {@link #close}. A driver is started once.
 */
public sealed interface Driver extends DriverLifecycle permits ClientDriver, AsyncClientDriver {}
