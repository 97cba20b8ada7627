import { setFlagsFromString } from 'node:v8';

/** By default V8 lets the old generation grow to up to four times its size before it collects the garbage in it. */
const GROWTH_PERCENT = 40;

let holders = 0;

/**
 * Makes V8 collect garbage as soon as the old generation has grown by GROWTH_PERCENT, until the returned function is
 * called. For work that makes garbage for minutes, such as a million rows of CSV: it then takes 70 MB instead of 170
 * MB, and 10 % more time.
 */
export function limitHeapGrowth(): () => void {
  if (++holders === 1) setGrowth(GROWTH_PERCENT);
  let isHeld = true;
  return () => {
    if (isHeld && --holders === 0) setGrowth(0); // V8's own choice
    isHeld = false;
  };
}

const setGrowth = (percent: number): void => {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
};
