/** A period, in times of `Date.now()`. */
export interface Span {
  from: number;
  to: number;
}

/** Until a process notices that its connections are lost and has new ones: its connection timeout. */
export const NOTICED_WITHIN_MS = 2_000;

/** Whether the period overlaps one of the spans, each extended by `afterMs`. */
export const overlaps = ({ from, to }: Span, spans: readonly Span[], afterMs = 0): boolean =>
  spans.some((span) => from <= span.to + afterMs && to >= span.from);
