export interface Outcome {
  /** Null if the run ended before it was counted. */
  accepted: number | null;
  /** The names of the checks that found gaps, or why the run ended without checks. */
  gaps: string[];
}

const row = (...cells: [seed: string, queue: string, accepted: string, gaps: string]): string =>
  `${cells[0].padStart(10)}  ${cells[1].padEnd(8)}  ${cells[2].padStart(8)}  ${cells[3]}`;

export const HEADER = row('seed', 'queue', 'accepted', 'gaps');

export const formatRow = (seed: number, queue: string, { accepted, gaps }: Outcome): string =>
  row(String(seed), queue, String(accepted ?? '–'), gaps.length === 0 ? 'none' : gaps.join('; '));

/** Reads what a run has printed. */
export function outcomeOf(output: string, code: number): Outcome {
  const accepted = /^(\d+) accepted in /m.exec(output)?.[1];
  const gaps = [...output.matchAll(/^ GAP {2}(.*)$/gm)].map(([, name = '']) => name);
  if (gaps.length === 0 && code !== 0) gaps.push(output.trim().split('\n').at(-2) ?? 'no output');
  return { accepted: accepted === undefined ? null : Number(accepted), gaps };
}
