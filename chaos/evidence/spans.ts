/** From when to when something was so, on the clock of `Date.now()`. */
export interface Span {
  from: number;
  to: number;
}

/** Until a process has noticed that its connections are gone, and has new ones: its time-out for a connection. */
export const NOTICED_WITHIN_MS = 2_000;

/** Whether any of it happened within one of the spans or shortly after, as long as `afterMs`. */
export const overlaps = ({ from, to }: Span, spans: readonly Span[], afterMs = 0): boolean =>
  spans.some((span) => from <= span.to + afterMs && to >= span.from);
