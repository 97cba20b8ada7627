/**
 * The floors of `accept`: Nest with the route, validation and security headers of the service, a guard that looks a key
 * up in memory, and one durable INSERT per request. With STATEMENTS=service the guard reads the key from the database,
 * and the message is stored by the statement of the service, each request by its own.
 */
import 'reflect-metadata';

import { Body, type CanActivate, Controller, type ExecutionContext, Module, Post, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import pg from 'pg';

import { hashSecret } from '../../src/modules/keys/domain/api-key.js';
import { capDay } from '../../src/modules/messages/domain/daily-caps.js';
import { plainGroup } from '../../src/modules/messages/domain/message-group.js';
import { START_COUNTERS } from '../../src/modules/messages/infrastructure/acceptance/accept.sql.js';
import { acceptUnits } from '../../src/modules/messages/infrastructure/acceptance/accept-units.js';
import { toUnit } from '../../src/modules/messages/infrastructure/acceptance/message-units.js';
import { SendEmailDto } from '../../src/modules/sending/http/dto/send-email.dto.js';
import type { Database } from '../../src/platform/database/database.js';
import { newId } from '../../src/shared/ids.js';
import { listen } from '../support/bare-nest-app.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, recipient text NOT NULL,
   sender text NOT NULL, subject text NOT NULL, html text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
);
const { rows } = await pool.query<{ id: string; accountId: string; hash: Buffer }>(
  'SELECT id, account_id AS "accountId", secret_hash AS hash FROM api_keys',
);
const known = new Set(rows.map(({ hash }) => hash.toString('hex')));
const { id: apiKeyId = '', accountId = '' } = rows[0] ?? {};
const isOfService = process.env.STATEMENTS === 'service';
if (isOfService) await pool.query(START_COUNTERS, [[accountId, apiKeyId], capDay(new Date()), null]);

/** The part of the service's database that its statement needs. */
const database = {
  prepared: async (name: string, text: string, values: unknown[]) => (await pool.query({ name, text, values })).rows,
} as Database;

class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest<Request>();
    const hash = hashSecret(String(headers['x-api-key']));
    return isOfService ? this.isStored(hash) : known.has(hash.toString('hex'));
  }

  private async isStored(hash: Buffer): Promise<boolean> {
    const found = await database.prepared('find_key', 'SELECT * FROM api_keys k WHERE k.secret_hash = ANY($1)', [
      [hash],
    ]);
    return found.length > 0;
  }
}

@Controller('api/send')
@UseGuards(KeyGuard)
class SendController {
  @Post('transactional')
  async send(@Body() body: SendEmailDto): Promise<object> {
    return { queued: true, messageLogId: await (isOfService ? accept(body) : insert(body)) };
  }
}

async function insert({ to, fromEmail, subject, html }: SendEmailDto): Promise<string | undefined> {
  const { rows: stored } = await pool.query<{ id: string }>(
    'INSERT INTO bare_messages (recipient, sender, subject, html) VALUES ($1, $2, $3, $4) RETURNING id',
    [to, fromEmail, subject, html],
  );
  return stored[0]?.id;
}

async function accept({ to, fromEmail, subject = null, html = null }: SendEmailDto): Promise<string> {
  const createdAt = new Date();
  const id = newId(createdAt);
  const message = {
    ...{ id, accountId, apiKeyId, channel: 'email' as const, recipient: to, normalisedRecipient: to, createdAt },
    ...{ sender: fromEmail, senderName: null, replyTo: null, templateId: null, subject, html },
    ...{ text: null, unsubscribeUrl: null, scheduledAt: null },
  };
  const unit = toUnit(message, [plainGroup(message)], { keyLimit: null });
  const [result] = await acceptUnits(database, [unit], { day: capDay(createdAt), lockWaitMs: null });
  if (!result || !('usage' in result)) throw new Error('The message was not accepted');
  return id;
}

@Module({ controllers: [SendController] })
class BareModule {}

await listen(BareModule);
