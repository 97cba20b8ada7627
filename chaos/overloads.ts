import type { Span } from './evidence/spans.js';
import type { Teardown } from './teardown.js';

const EVERY_MS = 100;
/** Far above what the run itself causes on a machine that is its own. */
const LATE_MS = 1_000;

/**
 * Records when the machine was overloaded: a timer of this process was late by a second or more. The processes of the
 * service did not run then either.
 */
export function watchOverloads(teardown: Teardown): Span[] {
  const overloads: Span[] = [];
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > EVERY_MS + LATE_MS) overloads.push({ from: last, to: now });
    last = now;
  }, EVERY_MS);
  teardown.add(() => {
    clearInterval(timer);
    return undefined;
  });
  return overloads;
}
