import { randomInt } from 'node:crypto';

/** How much a heavy test does: `quick` in `npm test`, `soak` in `npm run test:soak`, which sets SOAK. */
export const budget = ({ quick, soak }: { quick: number; soak: number }): number => (process.env.SOAK ? soak : quick);

/** The seed of random requests. A failure prints it; FUZZ_SEED=… repeats it. */
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
