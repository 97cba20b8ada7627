/**
 * The floor of message lists: Nest with the route, validation, security headers and response of the service, a guard
 * that reads the key from the database, because a revoked one must be refused at once, and one indexed SELECT.
 */
import 'reflect-metadata';

import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import pg from 'pg';

import { hashSecret } from '../../src/modules/keys/domain/api-key.js';
import type { MessageLog } from '../../src/modules/messages/domain/message-log.js';
import { ListMessagesDto } from '../../src/modules/messages/http/dto/message-filters.dto.js';
import { MessagePageResponse } from '../../src/modules/messages/http/message.response.js';
import { MESSAGE_COLUMNS } from '../../src/modules/messages/infrastructure/queries/message-rows.sql.js';
import type { AuthenticatedRequest, KeyCaller } from '../../src/platform/http/access/caller.js';
import { listen } from '../support/bare-nest-app.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const FIND_KEY = `
  SELECT 'key' AS kind, id AS "apiKeyId", account_id AS "accountId", test_of AS "testOf", daily_limit AS "dailyLimit"
  FROM api_keys WHERE secret_hash = $1 AND revoked_at IS NULL`;

class KeyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const values = [hashSecret(String(request.headers['x-api-key']))];
    const { rows } = await pool.query<KeyCaller>({ name: 'key', text: FIND_KEY, values });
    request.caller = rows[0];
    return rows.length > 0;
  }
}

const NEWEST = `
  SELECT ${MESSAGE_COLUMNS} FROM message_logs m WHERE m.account_id = $1 AND m.api_key_id = $2
  ORDER BY m.id DESC LIMIT 25`;

@Controller('api/messages')
@UseGuards(KeyGuard)
class ListController {
  @Get()
  async list(@Req() request: AuthenticatedRequest, @Query() { limit }: ListMessagesDto): Promise<MessagePageResponse> {
    const caller = request.caller as KeyCaller;
    const values = [caller.accountId, caller.apiKeyId];
    const { rows } = await pool.query<MessageLog>({ name: 'newest', text: NEWEST, values });
    return MessagePageResponse.from(
      { items: rows.slice(0, limit), campaigns: new Map(), nextCursor: null },
      caller,
      [],
    );
  }
}

@Module({ controllers: [ListController] })
class BareModule {}

await listen(BareModule);
