/** One line for each finished file that says which of how many it is, and below it what failed and what it printed. */
import { relative } from 'node:path';

export default class Progress {
  finished = 0;

  onTestResult({ context: { config } }, result, { numTotalTestSuites: total }) {
    this.finished += 1;
    const { numFailingTests, testExecError, perfStats, console: printed, failureMessage } = result;
    const outcome = numFailingTests > 0 || testExecError ? 'FAIL' : result.skipped ? 'SKIP' : 'PASS';
    const count = String(this.finished).padStart(String(total).length);
    const seconds = (perfStats.runtime / 1_000).toFixed(1);
    const file = relative(config.rootDir, result.testFilePath);
    const lines = [`[${count}/${total}] ${outcome} ${config.displayName.name} ${file} (${seconds} s)`];
    for (const { type, message } of printed ?? []) lines.push(`  console.${type} ${message}`);
    if (failureMessage) lines.push(failureMessage);
    process.stderr.write(`${lines.join('\n')}\n`);
  }
}
