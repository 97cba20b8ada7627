import { describe, expect, it } from '@jest/globals';

import { retryUntilRecorded } from './retry-until-recorded.js';

const ROW_FAULT = new Error('invalid input syntax');
const faults = { isRowFault: (error: unknown) => error === ROW_FAULT };

describe('retryUntilRecorded', () => {
  it('repeats a failed call until it succeeds, and reports each failure', async () => {
    const failures = [new Error('deadlock'), new Error('connection refused')];
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
