import type { CheckResult } from './checks/check-result.js';
import type { AcceptTimes, Times } from './evidence/times.js';
import type { Faults } from './faults.js';
import type { Options } from './options.js';
import { nameOf, type Step } from './plan.js';

const MAX_GAPS = 20;

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** `ms` counts from the start of the load. */
export function printAt(ms: number, what: string): void {
  print(`${(ms / 1_000).toFixed(1).padStart(6)} s  ${what}`);
}

export function printCommand({ goal, rate, seed, queue }: Options): void {
  const end = 'seconds' in goal ? `--seconds ${goal.seconds}` : `--messages ${goal.messages}`;
  const pace = rate === null ? '' : ` --rate ${rate}`;
  print(`To replay: npm run chaos -- ${end}${pace} --seed ${seed} --queue ${queue}`);
}

export function printPlan(plan: readonly Step[]): void {
  print('The plan:');
  for (const step of plan) printAt(step.atMs, withDuration(step));
}

export const withDuration = (step: Step): string => `${nameOf(step)}${step.forMs > 0 ? `  ${step.forMs} ms` : ''}`;

export function printChecks(results: readonly CheckResult[]): void {
  print('\nThe checks:');
  // The end of the output names the gaps.
  const sorted = [false, true].flatMap((hasGaps) => results.filter(({ gaps }) => gaps.count > 0 === hasGaps));
  for (const { name, counted, gaps } of sorted) {
    print(`${gaps.count === 0 ? '  ok ' : ' GAP '} ${name}\n      ${counted}`);
    for (const gap of gaps.first.slice(0, MAX_GAPS)) print(`      - ${gap}`);
    if (gaps.count > MAX_GAPS) print(`      … and ${gaps.count - MAX_GAPS} more`);
  }
}

export function printFaults({ counts, kills }: Faults): void {
  const list = (numbers: ReadonlyMap<string, number>) =>
    [...numbers].map(([name, count]) => `${name} ${count}`).join(', ');
  const sum = (numbers: ReadonlyMap<string, number>) =>
    [...numbers.values()].reduce((total, count) => total + count, 0);
  print(`\n${sum(counts)} faults: ${list(counts)}`);
  print(`${sum(kills)} SIGKILLs: ${list(kills)}`);
}

export function printRate(sent: { accepted: number; copies: number }, loadMs: number, totalMs: number): void {
  const perSecond = (count: number, ms: number) => ((count * 1_000) / ms).toFixed(0);
  print(
    `\n${sent.accepted} accepted in ${(loadMs / 1_000).toFixed(1)} s of load: ${perSecond(sent.accepted, loadMs)} per second; ` +
      `${sent.copies} copies received in ${(totalMs / 1_000).toFixed(1)} s: ${perSecond(sent.copies, totalMs)} per second`,
  );
}

/** The resources of this process, with its clients, providers and receiver. */
export function printHarness(memory: { mostMb: number }): void {
  const { user, system } = process.cpuUsage();
  const busy = (user + system) / 1_000 / (process.uptime() * 1_000);
  print(`This process: at most ${memory.mostMb.toFixed(0)} MB, ${(busy * 100).toFixed(0)} % of a core`);
}

export function printTimes({ calm, underFaults, answerable }: AcceptTimes): void {
  const figures = ({ p50, p99, count }: Times) => `p50 ${p50} ms, p99 ${p99} ms of ${count}`;
  const ratio = (time: number, ofCalm: number) => `${time} ms (${(time / ofCalm).toFixed(1)} × without faults)`;
  const { p50, p99, count } = answerable;
  print('\nDuration of accepting a send');
  print(`  without faults                                ${figures(calm)}`);
  print(`  under faults                                  ${figures(underFaults)}`);
  print(
    `  under faults, while the database answered     p50 ${ratio(p50, calm.p50)}, p99 ${ratio(p99, calm.p99)} of ${count}`,
  );
}
