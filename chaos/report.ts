import { quantile } from '../bench/support/report.js';
import type { Evidence } from './evidence.js';
import type { Entry } from './ledger/entry.js';
import type { Options } from './options.js';
import { nameOf, type Step } from './plan.js';

const MOST_GAPS = 20;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** At so many milliseconds from the beginning of the load. */
export function sayAt(ms: number, what: string): void {
  say(`${(ms / 1_000).toFixed(1).padStart(6)} s  ${what}`);
}

export function sayPlan({ seconds, seed, queue }: Options, plan: readonly Step[]): void {
  say(`To replay: npm run chaos -- --seconds ${seconds} --seed ${seed} --queue ${queue}`);
  say('The plan:');
  for (const step of plan) sayAt(step.atMs, `${nameOf(step)}${step.forMs > 0 ? `  ${step.forMs} ms` : ''}`);
}

export function sayLedger(entries: readonly Entry[]): void {
  say('\nThe ledger:');
  for (const { name, counted, gaps } of entries) {
    say(`${gaps.length === 0 ? '  ok ' : ' GAP '} ${name}\n      ${counted}`);
    for (const gap of gaps.slice(0, MOST_GAPS)) say(`      - ${gap}`);
    if (gaps.length > MOST_GAPS) say(`      … and ${gaps.length - MOST_GAPS} more`);
  }
}

/** `faultsFrom` and `faultsTo`: between them the plan was carried out. */
export function sayTimes({ answers }: Evidence, faultsFrom: number, faultsTo: number): void {
  const sends = answers.filter(({ what, status }) => what === 'send' && status === 201);
  const isCalm = ({ from }: { from: number }) => from < faultsFrom || from > faultsTo;
  const figures = (some: typeof sends) => {
    const times = some.map(({ from, to }) => to - from);
    return `p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms of ${times.length}`;
  };
  say(
    `\nAccepting took ${figures(sends.filter(isCalm))} in calm, ${figures(sends.filter((send) => !isCalm(send)))} under faults.`,
  );
}
