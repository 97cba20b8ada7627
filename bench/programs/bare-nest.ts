/**
 * The floor of `accept`: Nest with the route, validation and security headers of the service, a guard that looks a key
 * up in memory, and one durable INSERT per request.
 */
import 'reflect-metadata';

import type { AddressInfo } from 'node:net';

import { Body, type CanActivate, Controller, type ExecutionContext, Module, Post, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import helmet from 'helmet';
import pg from 'pg';

import { hashSecret } from '../../src/modules/keys/domain/api-key.js';
import { SendEmailDto } from '../../src/modules/sending/http/dto/send-email.dto.js';
import { createValidationPipe } from '../../src/platform/http/validation.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, recipient text NOT NULL,
   sender text NOT NULL, subject text NOT NULL, html text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
);
const { rows } = await pool.query<{ hash: Buffer }>('SELECT secret_hash AS hash FROM api_keys');
const known = new Set(rows.map(({ hash }) => hash.toString('hex')));

class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<Request>();
    return known.has(hashSecret(String(headers['x-api-key'])).toString('hex'));
  }
}

@Controller('api/send')
@UseGuards(KeyGuard)
class SendController {
  @Post('transactional')
  async send(@Body() { to, fromEmail, subject, html }: SendEmailDto): Promise<object> {
    const { rows: stored } = await pool.query<{ id: string }>(
      'INSERT INTO bare_messages (recipient, sender, subject, html) VALUES ($1, $2, $3, $4) RETURNING id',
      [to, fromEmail, subject, html],
    );
    return { queued: true, messageLogId: stored[0]?.id };
  }
}

@Module({ controllers: [SendController] })
class BareModule {}

const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: false });
app.disable('x-powered-by');
app.disable('etag');
app.use(helmet());
app.useGlobalPipes(createValidationPipe());
await app.listen(0, '127.0.0.1');
process.send?.({ port: (app.getHttpServer().address() as AddressInfo).port });
