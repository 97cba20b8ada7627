/**
 * Shifts what `Date.now()`, `new Date()` and `Date()` return by CLOCK_SHIFT_MS milliseconds, and nothing else: timers
 * and `performance.now()` go on as they are. For `node --import` or NODE_OPTIONS.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? '0');
if (!Number.isSafeInteger(shiftMs)) throw new Error('CLOCK_SHIFT_MS must be a whole number of milliseconds');

const RealDate = Date;
const realNow = Date.now;
const now = () => realNow() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
RealDate.prototype.constructor = globalThis.Date;
