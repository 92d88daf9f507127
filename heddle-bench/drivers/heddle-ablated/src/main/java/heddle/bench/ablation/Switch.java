package heddle.bench.ablation;

import java.util.function.BooleanSupplier;

/**
 * One optimisation of the engine, which can be switched off permanently before the engine is used.
 *
 * @param name its name in options
 * @param off switches it off
 * @param isOn whether the engine uses it; the first call fixes the answer
 */
public record Switch(String name, Runnable off, BooleanSupplier isOn) {}
