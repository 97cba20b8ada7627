/**
 * The longest delay of the event loop since the previous call, in milliseconds; includes the interval of ten
 * milliseconds at which it is sampled.
 */
export async function longestDelay(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1_000;
}
