const codeOf = (error: unknown): string => {
  const { code, driverError } = error as { code?: string; driverError?: { code?: string } };
  return driverError?.code ?? code ?? '';
};

/** 40001 serialisation failure, 40P01 deadlock: the same transaction may succeed when run again. */
export const isRepeatable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** The database refused the values themselves (class 22 data exception, 23 constraint): others' rows are not to blame. */
export const isRowFault = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

/** 57014: the statement took longer than it may, be it in waiting for others. */
export const isTimedOut = (error: unknown): boolean => codeOf(error) === '57014';

export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const { constraint: violated } = ((error as { driverError?: unknown }).driverError ?? error) as {
    constraint?: string;
  };
  return codeOf(error) === '23505' && (constraint === undefined || violated === constraint);
};

/** PostgreSQL cannot be reached or is shutting down or starting: the call may succeed a little later. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  /^(08|57P|53300|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT)/.test(codeOf(error)) ||
  /timeout exceeded when trying to connect|Connection terminated/.test((error as Error | undefined)?.message ?? '');
