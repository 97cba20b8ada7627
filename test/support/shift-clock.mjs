// Preloaded with `node --import`: the wall clock of the process runs CLOCK_SHIFT_MS milliseconds ahead (or behind, if negative).
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const SystemDate = globalThis.Date;
const systemNow = SystemDate.now.bind(SystemDate);
const now = () => systemNow() + shiftMs;

globalThis.Date = new Proxy(SystemDate, {
  apply: () => new SystemDate(now()).toString(),
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
SystemDate.prototype.constructor = globalThis.Date;
