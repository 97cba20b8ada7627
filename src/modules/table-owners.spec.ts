import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

/** The module that owns each table or view. SQL of other modules neither reads nor writes it. */
const OWNERS: Record<string, readonly string[]> = {
  accounts: ['accounts', 'login_client_throttles', 'login_throttles', 'users'],
  campaigns: ['campaign_audience_portions', 'campaign_recipients', 'campaigns'],
  consent: ['consent_records', 'standing_consents'],
  contacts: ['contact_tags', 'contacts', 'list_members', 'lists'],
  domains: ['domains'],
  erasure: ['contact_erasures'],
  forms: ['form_signups', 'form_wordings', 'forms'],
  imports: ['contact_import_chunks', 'contact_imports'],
  keys: ['api_keys'],
  messages: [
    'campaign_activity',
    'campaign_activity_changes',
    'campaign_contents',
    'daily_usage',
    'email_events',
    'event_feed',
    'idempotency_keys',
    'message_attachments',
    'message_contents',
    'message_count_changes',
    'message_counts',
    'message_topic_count_changes',
    'message_topic_counts',
    'message_logs',
    'message_search_backlog',
    'message_search_texts',
    'message_search_waiting',
    'message_searches',
    'message_tags',
    'pending_deliveries',
  ],
  platform: ['installation_keys', 'outbox_events', 'schedule_runs', 'sending_slots'],
  'provider-events': ['seen_reports', 'sms_replies', 'unmatched_events'],
  'provider-settings': ['delivery_pauses', 'sms_standings'],
  senders: ['senders', 'verification_mail_counts'],
  simulator: ['simulated_reports'],
  sms: ['sms_opt_out_syncs', 'sms_opted_out_numbers'],
  suppression: ['suppressions'],
  templates: ['template_versions', 'templates'],
  topics: ['topics'],
  webhooks: ['webhook_attempts', 'webhook_deliveries', 'webhook_endpoints'],
};

/** `module → table`, with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'consent → accounts':
    'whether consent is required is a setting of the account, read in the statement that looks it up',
  'messages → accounts': 'accepting a message checks the cap of its account in the statement that counts and stores it',
  'messages → contacts': 'accepting a message finds the contact of its recipient in the statement that stores it',
  'messages → suppressions':
    'accepting a message checks that its recipient is not suppressed in the statement that stores it',
  'messages → campaigns': 'one statement makes the held messages due of campaigns that are no longer paused',
  'suppression → campaigns':
    'the check before a submission asks in one statement whether the recipient is suppressed and the campaign stopped',
  'topics → accounts': 'a test account has the topics of the account that it belongs to, in every statement',
  'webhooks → accounts': 'events of a test account go to the endpoints of its account; webhooks depends on no module',
  'webhooks → outbox_events': 'the dispatcher moves events from the outbox into deliveries in one transaction',
  'provider-settings → accounts': 'the settings are columns of the account',
  'senders → accounts': 'a sender is verified for the provider settings that the account has when the statement runs',
  'senders → domains': 'one statement decides whether an address may send: as a sender or through its domain',
};

const ownerOf = new Map(Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner])));

const sourcesIn = (directory: string): string[] =>
  readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => join(directory, path));

/**
 * Names after an SQL keyword, in a list of FROM (with an alias), and in table names of schemas. SQL is in upper case.
 */
function tablesIn(source: string): Set<string> {
  const afterKeyword =
    /(?:\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(?:ONLY\s+)?|\b(?:table|tableName): ')([a-z_]+)\b/g;
  const inList = /,\s+([a-z_]+)\s+(?:AS\s+)?[a-z]{1,2}\b(?!\s*[:=(])/g;
  const code = source.replace(/\/\*[^]*?\*\//g, '');
  const names = [...code.matchAll(afterKeyword), ...code.matchAll(inList)].map(([, name = '']) => name);
  return new Set(names.filter((name) => ownerOf.has(name)));
}

function foreignTables(): string[] {
  const found = new Set<string>();
  for (const path of [...sourcesIn('src/modules'), ...sourcesIn('src/platform')]) {
    const [, area = '', name = ''] = path.split('/');
    const module = area === 'platform' ? 'platform' : name;
    for (const table of tablesIn(readFileSync(join(ROOT, path), 'utf8')))
      if (ownerOf.get(table) !== module) found.add(`${module} → ${table}`);
  }
  return [...found].sort();
}

describe('Tables', () => {
  it('have one owner each', () => {
    const migrations = sourcesIn('migrations').map((path) => readFileSync(join(ROOT, path), 'utf8'));
    const created = migrations.flatMap((text) =>
      [...text.matchAll(/CREATE (?:UNLOGGED )?(?:TABLE|VIEW) ([a-z_]+)/g)].map(([, name]) => name),
    );
    expect([...ownerOf.keys()].sort()).toEqual([...new Set(created)].sort());
  });

  it('are used by the SQL of their owner only, apart from the exceptions, which are all needed', () => {
    expect(foreignTables()).toEqual(Object.keys(EXCEPTIONS).sort());
  });

  it('are found wherever a statement names them', () => {
    const sql = `WITH a AS (DELETE FROM contacts c USING lists l) UPDATE suppressions SET x = 1 FROM templates t, accounts a`;
    expect([...tablesIn(sql)].sort()).toEqual(['accounts', 'contacts', 'lists', 'suppressions', 'templates']);
    expect([...tablesIn(`import { x } from './contacts'; const { contacts, lists } = y; f(a, users);`)]).toEqual([]);
  });
});
