import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;

/** Polls until `condition` gives something other than undefined or false; says what it waited for when it gives up. */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 15_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Gave up waiting for ${what}`);
    await pause(POLL_MS);
  }
}
