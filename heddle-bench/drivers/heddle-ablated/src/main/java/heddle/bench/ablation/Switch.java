package heddle.bench.ablation;

import java.util.function.BooleanSupplier;

/**
 * One optimisation of the engine, which can be switched off, for good, before the engine is used.
 *
 * @param name what it is called where one is chosen
 * @param off switches it off
 * @param isOn whether the engine works with it; to ask settles it
 */
public record Switch(String name, Runnable off, BooleanSupplier isOn) {}
