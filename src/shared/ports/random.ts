export abstract class Random {
  /** Evenly spread over [0, 1). Not for secrets. */
  abstract next(): number;
}
