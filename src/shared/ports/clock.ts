export abstract class Clock {
  /** The time that all processes share: what one of them writes may be compared with what another one reads here. */
  abstract now(): Date;
}
