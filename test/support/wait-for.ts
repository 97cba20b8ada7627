import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
/** What takes longer is asked for less often: asking takes the processor from what it waits for. */
const SHORT_MS = 5_000;
const LONG_POLL_MS = 100;
/** jest.config.mjs says how long that is, and why. */
export const WAIT_LIMIT_MS = Number(process.env.WAIT_LIMIT_MS);

/** Polls until `condition` gives something other than undefined or false; says what it waited for when it gives up. */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > WAIT_LIMIT_MS) throw new Error(`Gave up waiting for ${what}`);
    await pause(waitedMs < SHORT_MS ? POLL_MS : LONG_POLL_MS);
  }
}
