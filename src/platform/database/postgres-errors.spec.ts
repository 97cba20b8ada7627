import { describe, expect, it } from '@jest/globals';

import {
  isDatabaseOutOfReach,
  isDatabaseUnavailable,
  isRetryable,
  isRowFault,
  isTimedOut,
  isUniqueViolation,
} from './postgres-errors.js';

const errorWith = (code: string) => Object.assign(new Error('it failed'), { code });

describe('PostgreSQL errors', () => {
  it.each([
    ['40001', { isRetryable: true }],
    ['40P01', { isRetryable: true }],
    ['22001', { isRowFault: true }],
    ['23505', { isRowFault: true }],
    ['23514', { isRowFault: true, isUnavailable: true }],
    ['57014', { isTimedOut: true, isUnavailable: true }],
    ['55P03', { isUnavailable: true }],
    ['53300', { isOutOfReach: true, isUnavailable: true }],
    ['57P03', { isOutOfReach: true, isUnavailable: true }],
    ['ECONNREFUSED', { isOutOfReach: true, isUnavailable: true }],
    ['57P01', { isUnavailable: true }],
    ['53100', { isUnavailable: true }],
    ['25006', { isUnavailable: true }],
    ['25P03', { isUnavailable: true }],
    ['ECONNRESET', { isUnavailable: true }],
    ['42P01', {}],
  ])('%s', (code, expected) => {
    const error = errorWith(code);
    expect({
      isRetryable: isRetryable(error),
      isRowFault: isRowFault(error),
      isTimedOut: isTimedOut(error),
      isOutOfReach: isDatabaseOutOfReach(error),
      isUnavailable: isDatabaseUnavailable(error),
    }).toEqual({
      isRetryable: false,
      isRowFault: false,
      isTimedOut: false,
      isOutOfReach: false,
      isUnavailable: false,
      ...expected,
    });
  });

  it('are recognised inside an error of TypeORM', () => {
    expect(isRetryable({ driverError: errorWith('40001') })).toBe(true);
  });

  it.each([
    ['timeout exceeded when trying to connect', true],
    ['Connection terminated unexpectedly', false],
    ['Query read timeout', false],
    ['Client has encountered a connection error and is not queryable', false],
    ['Client was closed and is not queryable', false],
    ['Query runner already released. Cannot run queries anymore.', false],
  ])('without a code are recognised by their message: %s', (message, isOutOfReach) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    expect(isDatabaseOutOfReach(new Error(message))).toBe(isOutOfReach);
  });

  it('are those of a row if it violates a constraint of its table, whose partitions do not matter', () => {
    const error = Object.assign(errorWith('23514'), { constraint: 'ck_lists_name' });
    expect([isRowFault(error), isDatabaseUnavailable(error)]).toEqual([true, false]);
  });

  it('name the violated constraint', () => {
    const error = Object.assign(errorWith('23505'), { constraint: 'uq_lists_name' });
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'uq_lists_name')).toBe(true);
    expect(isUniqueViolation(error, 'uq_other')).toBe(false);
    expect(isUniqueViolation(errorWith('23503'))).toBe(false);
  });
});
