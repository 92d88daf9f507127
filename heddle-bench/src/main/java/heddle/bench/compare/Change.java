package heddle.bench.compare;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Effect;

/**
 * One figure of a client in a cell that two races have in common.
 *
 * @param cell the load
 * @param client its name
 * @param before the median in the first race
 * @param after the median in the second one
 * @param effect the second compared with the first
 */
public record Change(CellInfo cell, String client, double before, double after, Effect effect) {}
