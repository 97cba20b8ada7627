/**
 * On Node 20, an AsyncLocalStorage that was used slows down every promise of the process until it is disabled. Jest
 * makes one for each file, and a worker runs many.
 */
import asyncHooks from 'node:async_hooks';

const used = new Set();
const { prototype } = asyncHooks.AsyncLocalStorage;
const { run } = prototype;

prototype.run = function recorded(...values) {
  used.add(this);
  return run.apply(this, values);
};

/** To be called at the end of a file. What is used again is enabled again. */
export function disableUsedStorages() {
  for (const storage of used) storage.disable();
  used.clear();
}

/**
 * Calls `load`, in which Jest makes the storage of the test that runs. It gets one without async hooks: tests run one
 * after the other, so a variable will do.
 */
export function withSequentialStorage(load) {
  const outer = asyncHooks.AsyncLocalStorage;
  provide(SequentialStorage);
  try {
    return load();
  } finally {
    provide(outer);
  }
}

/** Newer versions of Node have a getter there. */
function provide(AsyncLocalStorage) {
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: AsyncLocalStorage, configurable: true });
}

class SequentialStorage {
  store;

  getStore() {
    return this.store;
  }

  async run(store, work) {
    const outer = this.store;
    this.store = store;
    try {
      return await work();
    } finally {
      this.store = outer;
    }
  }
}
