/** Variables for a machine that is busy with other tests. A test that takes the database away sets shorter times. */
export const PATIENT = { DATABASE_CONNECT_TIMEOUT_MS: '30000', START_TIMEOUT_MS: '120000' };
