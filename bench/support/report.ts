/** A figure, with its reference from the same run if it has one. */
export interface Row {
  name: string;
  ours: number;
  reference?: number;
  ratio?: number;
  aim: string;
}

export const median = (values: number[]): number => quantile(values, 0.5);

export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

export function print(rows: readonly Row[]): void {
  const figure = (value: number | undefined, digits = 0) => (value === undefined ? '' : value.toFixed(digits));
  const lines = rows.map(({ name, ours, reference, ratio, aim }) => [
    name,
    figure(ours, 1),
    figure(reference, 1),
    figure(ratio, 2),
    aim,
  ]);
  const table = [['figure', 'ours', 'reference', 'ratio', 'aim'], ...lines];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of table) process.stdout.write(`${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}\n`);
}

/** In the other order in every second round: what comes second finds the machine and tables as the first left them. */
export const inTurns = <T>(round: number, subjects: readonly T[]): readonly T[] =>
  round % 2 === 0 ? subjects : subjects.toReversed();
