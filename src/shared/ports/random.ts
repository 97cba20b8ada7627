export abstract class Random {
  /** Uniform over [0, 1). Not for secrets. */
  abstract next(): number;
}
