import type { TestService } from './service.js';

type LeasedTable = 'campaigns' | 'contact_imports' | 'pending_deliveries' | 'sms_opt_out_syncs';

/** Ends all leases of the table, as time does: leases have the clock of the database, which a test does not advance. */
export const expireLeases = (service: TestService, table: LeasedTable): Promise<unknown> =>
  service.query(`UPDATE ${table} SET lease_ends_at = clock_timestamp() WHERE lease_ends_at IS NOT NULL`);
