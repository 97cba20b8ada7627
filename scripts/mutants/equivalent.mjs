/**
 * Mutants that change no behaviour, and why: the line they are on, what is replaced there, and by what unless it is any
 * replacement.
 */
const LOCKED = 'the row was found and locked by its account and id in the same transaction';
const FILTERED = 'rows of other accounts that are read are not returned: they are looked up by account and id';

const EQUIVALENT = [
  {
    file: 'src/modules/accounts/infrastructure/typeorm-user.repository.ts',
    line: 'FROM users u JOIN unnest(',
    replaced: 'u.account_id = s.account_id',
    reason: FILTERED,
  },
  {
    file: 'src/modules/templates/infrastructure/typeorm-template.repository.ts',
    line: 'JOIN templates t ON t.id = wanted.id',
    replaced: 't.account_id = wanted.account_id',
    reason: FILTERED,
  },
  {
    file: 'src/modules/messages/infrastructure/groups/sql-message-groups.ts',
    line: 'WHERE a.group_id = ANY($2)',
    replaced: 'a.account_id = ANY($1)',
    reason: FILTERED,
  },
  {
    file: 'src/modules/contacts/infrastructure/contact-search.ts',
    line: '(SELECT c.id FROM contacts c WHERE',
    replaced: 'c.account_id = $1',
    reason: 'the statement is explained, not run: its estimates decide how the search is planned, not what it finds',
  },
  {
    file: 'src/modules/contacts/infrastructure/contact.sql.ts',
    line: 'JOIN contacts c ON c.id = p.id',
    within: 'searchContacts',
    replaced: 'c.account_id = $1',
    reason: 'with a search, `matching` reads `contacts` with the account; the join repeats the condition for its plan',
  },
  {
    file: 'src/modules/contacts/infrastructure/typeorm-contact-list.repository.ts',
    line: 'if (list) await this.rows().delete(',
    replaced: 'accountId, ',
    reason: LOCKED,
  },
  {
    file: 'src/modules/domains/infrastructure/typeorm-domain.repository.ts',
    line: 'await this.rows().update({ accountId, id }, domain);',
    replaced: 'accountId, ',
    reason: LOCKED,
  },
  {
    file: 'src/modules/domains/infrastructure/typeorm-domain.repository.ts',
    line: 'await this.rows().delete({ accountId, id });',
    replaced: 'accountId, ',
    reason: LOCKED,
  },
  {
    file: 'src/modules/webhooks/infrastructure/typeorm-webhook-endpoint.repository.ts',
    line: 'if (endpoint) await this.rows().update(',
    replaced: 'accountId, ',
    reason: LOCKED,
  },
  {
    file: 'src/modules/messages/infrastructure/queries/count.sql.ts',
    line: 'SELECT * FROM message_logs l WHERE',
    replaced: 'l.account_id = $1',
    reason: 'the statement requires the account of the waiting text and of the message as well',
  },
  {
    file: 'src/modules/messages/infrastructure/queries/count.sql.ts',
    line: 'SELECT m.campaign_id, ${SHIFTED} WHERE',
    replaced: 'm.account_id = $1',
    reason: 'these are the messages with leased deliveries, which are selected by their account',
  },
  {
    file: 'src/modules/messages/infrastructure/queries/sql-message-search.ts',
    line: 'WHERE account_id = $1 AND ${containsAny(',
    replaced: 'account_id = $1',
    reason: 'the messages of the texts that are found are read with the account',
  },
  {
    file: 'src/modules/messages/infrastructure/queries/sql-message-search.ts',
    line: 'SELECT min(day)',
    replaced: 'account_id = $1',
    reason: 'an earlier day of another account makes the search go on where the account has no messages',
  },
  {
    file: 'src/modules/senders/infrastructure/sql-verified-senders.ts',
    line: 'SELECT FROM domains o WHERE',
    replaced: 'o.account_id <> checked.account_id',
    reason: 'if the domain of the account itself is verified, so is the sender, whatever the link proves',
  },
  {
    file: 'src/modules/suppression/infrastructure/suppression.sql.ts',
    line: 'SELECT NULL, NULL WHERE EXISTS (',
    next: true,
    replaced: 'e.account_id = $1',
    reason: 'without it, hashes are looked up although the account has none: the look-up has its own condition',
  },
  {
    file: 'src/modules/webhooks/infrastructure/webhook-delivery.sql.ts',
    line: 'SELECT a.* FROM webhook_attempts a JOIN',
    replaced: 'd.account_id = $1',
    reason: 'the attempts are read for a delivery that was just found by its account and id',
  },
];

export function reasonOf({ file, start, end, replacement }, source) {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const line = source.slice(from, `${source}\n`.indexOf('\n', end));
  const before = source.slice(0, start);
  return EQUIVALENT.find(
    (one) =>
      one.file === file &&
      (one.next ? before.slice(0, from).trimEnd().endsWith(one.line) : line.includes(one.line)) &&
      one.replaced === source.slice(start, end) &&
      (one.replacement ?? replacement) === replacement &&
      (one.within === undefined || /\bfunction (\w+)(?![\s\S]*\bfunction \w)/.exec(before)?.[1] === one.within),
  )?.reason;
}
