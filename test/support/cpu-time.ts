/** CPU time in milliseconds that this process and its threads need for `work`, however busy the machine is. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const TEXT = JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', 'b'] })));

/** CPU time in milliseconds of a fixed piece of work: the unit in which the time of others is the same anywhere. */
export async function referenceCpuTime(): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) times.push(await cpuTimeOf(() => JSON.parse(TEXT) as unknown));
  return Math.min(...times);
}
