/** Runs specs in a process that is replaced when it hangs, ends or has grown. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

const PROGRAM = new URL('./spec-process.mjs', import.meta.url);
const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
/** Each mutant leaves its modules in memory. */
const MUTANTS_OF_A_PROCESS = 12;

export class SpecRunner {
  #process;
  #mutants = new Set();

  /**
   * Resolves to { passed, failure }; `failure` is the title of the first test that failed, and why. On a busy machine a
   * test may fail without a mutant. So a failure counts only if it happens again after the spec has passed without one.
   */
  async run(spec, mutant, limitMs) {
    const result = await this.#runOnce(spec, mutant, limitMs);
    if (result.passed) return result;
    const original = await this.#runOnce(spec, undefined, limitMs);
    return original.passed ? this.#runOnce(spec, mutant, limitMs) : { passed: true, isUnreliable: true };
  }

  async #runOnce(spec, mutant, limitMs) {
    if (this.#mutants.size > MUTANTS_OF_A_PROCESS && !this.#mutants.has(mutant)) await this.stop();
    this.#process ??= fork(PROGRAM, { execArgv: FLAGS, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#mutants.add(mutant);
    const child = this.#process;
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(limitMs)]);
    child.send({ spec, mutant });
    try {
      const [result] = await Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }).then(([code, killer]) => [
          { passed: false, failure: `the process ended with ${code ?? killer}` },
        ]),
      ]);
      if (child.exitCode !== null) await this.stop();
      return result;
    } catch (error) {
      if (error.name !== 'AbortError') throw error;
      await this.stop();
      return { passed: false, failure: `no result after ${Math.round(limitMs / 1_000)} s` };
    } finally {
      settled.abort();
    }
  }

  async stop() {
    const child = this.#process;
    this.#process = undefined;
    this.#mutants.clear();
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
