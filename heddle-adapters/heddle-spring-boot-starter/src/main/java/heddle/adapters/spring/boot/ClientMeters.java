package heddle.adapters.spring.boot;

import heddle.client.spi.ExchangeListener;

/** Measures the clients of a context. Has no reference to Micrometer, which may be absent. */
interface ClientMeters extends ExchangeListener {}
