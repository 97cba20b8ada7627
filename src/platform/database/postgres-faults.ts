import { DatabaseFaults } from '../../shared/ports/database-faults.js';
import { isDatabaseOutOfReach, isDatabaseUnavailable, isRowFault, isTimedOut } from './postgres-errors.js';

export class PostgresFaults extends DatabaseFaults {
  isRowFault(error: unknown): boolean {
    return isRowFault(error);
  }

  isTimedOut(error: unknown): boolean {
    return isTimedOut(error);
  }

  isOutOfReach(error: unknown): boolean {
    return isDatabaseOutOfReach(error);
  }

  isUnavailable(error: unknown): boolean {
    return isDatabaseUnavailable(error);
  }
}

/** For repositories, which run on PostgreSQL by definition. */
export const POSTGRES_FAULTS = new PostgresFaults();
