/** $1: ids of messages. */
export const FIND_ACCOUNTS = 'SELECT id, account_id AS "accountId" FROM message_logs WHERE id = ANY($1)';
