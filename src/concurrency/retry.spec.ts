import { describe, expect, it } from '@jest/globals';

import { retryUntilRecorded } from './retry.js';

const ROW_FAULT = new Error('invalid input syntax');
const DETACHED = new Error('no partition of relation found for row');
const faults = {
  isRowFault: (error: unknown) => error === ROW_FAULT || error === DETACHED,
  isUnavailable: (error: unknown) => error === DETACHED,
};

describe('retryUntilRecorded', () => {
  it('repeats a failed call until it succeeds, and reports each failure', async () => {
    const failures = [new Error('deadlock'), new Error('connection refused'), DETACHED];
    const results = [...failures];
    const reported: Error[] = [];
    const record = () => {
      const error = results.shift();
      return error ? Promise.reject(error) : Promise.resolve('recorded');
    };
    await expect(retryUntilRecorded(record, faults, (error) => reported.push(error))).resolves.toBe('recorded');
    expect(reported).toEqual(failures);
  });

  it('does not repeat a call that the row itself made fail', async () => {
    let calls = 0;
    const record = () => {
      calls += 1;
      return Promise.reject(ROW_FAULT);
    };
    await expect(retryUntilRecorded(record, faults, () => undefined)).rejects.toBe(ROW_FAULT);
    expect(calls).toBe(1);
  });
});
