import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { Database } from '../../../platform/database/database.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { SmsRequest } from '../../../providers/index.js';
import { type NewReply, Replies } from '../application/ports/replies.js';

@Injectable()
export class SqlReplies extends Replies {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  async add(accountId: string, reply: NewReply): Promise<boolean> {
    const { id, providerMessageId, from, to, body } = reply;
    const { previousProviderMessageId, previousMessageLogId, contactId, receivedAt, request, requestedAt } = reply;
    const links = [previousProviderMessageId, previousMessageLogId, contactId, receivedAt];
    const values = [id, accountId, providerMessageId, from, to, body, ...links, request, requestedAt];
    return (await this.database.query(ADD, values)).length === 1;
  }

  async isOverruled(
    accountId: string,
    { request, from, sentAt }: { request: SmsRequest; from: string; sentAt: Date },
  ): Promise<boolean> {
    return (await this.database.query(OVERRULING[request], [accountId, from, sentAt])).length > 0;
  }

  async isStoppedBefore(accountId: string, from: string, sentAt: Date): Promise<boolean> {
    const [last] = await this.database.query<{ request: SmsRequest }>(LAST_BEFORE, [accountId, from, sentAt]);
    return last?.request === 'stop';
  }

  async expireAcrossAccounts(): Promise<void> {
    const now = this.clock.now();
    const { contentRetentionDays, messageRetentionMonths } = this.config;
    const table = 'sms_replies';
    if (contentRetentionDays > 0)
      await this.database.changeInBatches(table, FORGET_BODY, HAS_OLD_BODY, [now, contentRetentionDays]);
    if (messageRetentionMonths === 0) return;
    const age = [now, messageRetentionMonths];
    await this.database.deleteInBatches(table, `${IS_OLD} AND NOT ${IS_REPEATABLE}`, age);
    await this.database.changeInBatches(table, FORGET, `${IS_OLD} AND ${IS_REPEATABLE}`, age);
  }
}

const ADD = `
  INSERT INTO sms_replies (id, account_id, provider_message_id, sender, recipient, body, previous_provider_message_id,
    previous_message_id, contact_id, received_at, request, requested_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (account_id, provider_message_id) DO NOTHING
  RETURNING id`;

/** $1 account, $2 number, $3 when the request was sent. */
const overruling = (condition: string): string => `
  SELECT FROM sms_replies WHERE account_id = $1 AND sender = $2 AND request IS NOT NULL AND ${condition} LIMIT 1`;
const OVERRULING: Readonly<Record<SmsRequest, string>> = {
  start: overruling(`request = 'stop' AND requested_at >= $3`),
  stop: overruling(`request = 'start' AND requested_at > $3`),
};

/** $1 account, $2 number, $3 when the request was sent. Of both requests at the same time, STOP counts. */
const LAST_BEFORE = `
  SELECT request FROM sms_replies WHERE account_id = $1 AND sender = $2 AND request IS NOT NULL AND requested_at < $3
  ORDER BY requested_at DESC, request DESC LIMIT 1`;

const FORGET_BODY = 'UPDATE sms_replies SET body = NULL';

/** Whether more than the id of the provider is left. The index by `received_at` is for this condition. */
const NOT_FORGOTTEN = `sender <> ''`;

/** $1 now, $2 days. */
const HAS_OLD_BODY = `${NOT_FORGOTTEN} AND body IS NOT NULL AND received_at < $1::timestamptz - make_interval(days => $2)`;

/** $1 now, $2 the number of whole months kept before the current one. */
const IS_OLD = `${NOT_FORGOTTEN} AND received_at < date_trunc('month', $1::timestamptz, 'UTC') - make_interval(months => $2)`;

/** A request that the provider has signed without a time. */
const IS_REPEATABLE = '(request IS NOT NULL AND requested_at IS NULL)';

const FORGET = `
  UPDATE sms_replies SET sender = '', recipient = '', body = NULL, previous_provider_message_id = NULL,
    previous_message_id = NULL, contact_id = NULL`;
