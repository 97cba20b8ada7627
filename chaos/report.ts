import type { Entry } from './ledger/entry.js';
import type { Options } from './options.js';
import { nameOf, type Step } from './plan.js';
import type { AcceptTimes, Times } from './times.js';

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

export function sayTimes({ calm, underFaults, answerable }: AcceptTimes): void {
  const figures = ({ p50, p99, count }: Times) => `p50 ${p50} ms, p99 ${p99} ms of ${count}`;
  const ratio = (time: number, ofCalm: number) => `${time} ms (${(time / ofCalm).toFixed(1)} × calm)`;
  const { p50, p99, count } = answerable;
  say('\nAccepting took');
  say(`  in calm                                       ${figures(calm)}`);
  say(`  under faults                                  ${figures(underFaults)}`);
  say(
    `  under faults, while the database answered     p50 ${ratio(p50, calm.p50)}, p99 ${ratio(p99, calm.p99)} of ${count}`,
  );
}
