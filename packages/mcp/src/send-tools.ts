import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { DeliveryClient } from 'opt-in-delivery-sdk';
import { z } from 'zod';

import { messageId } from './read-tools.js';
import { toResult } from './result.js';

/** A submitted message cannot be recalled. */
const SENDS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

const time = z.string().describe('An ISO 8601 date-time with an offset, at most 90 days ahead');
const topicId = z.string().optional().describe('What it is about: refused to who has unsubscribed from this topic');
const idempotencyKey = z.string().optional().describe('Identifies the send: repeated with it, it is sent once');

/** Adds the tools that send or change messages. They use the scopes send and sms:send. */
export function addSendTools(server: McpServer, client: DeliveryClient): void {
  server.registerTool(
    'send_email',
    {
      description:
        'Sends one e-mail, to a person who has consented to it. Needs a subject and html or text, or a template.',
      inputSchema: {
        to: z.string(),
        fromEmail: z.string().describe('A verified sender of the account'),
        fromName: z.string().optional(),
        replyTo: z.string().optional(),
        subject: z.string().optional(),
        html: z.string().optional(),
        text: z.string().optional(),
        templateId: z.string().optional(),
        variables: z.record(z.string(), z.unknown()).optional().describe('Values for the placeholders'),
        tags: z.array(z.string()).optional(),
        topicId,
        scheduledAt: time.optional(),
        idempotencyKey,
      },
      annotations: SENDS,
    },
    ({ idempotencyKey: key, ...email }) => toResult(() => client.emails.send(email, { idempotencyKey: key })),
  );
  server.registerTool(
    'send_sms',
    {
      description: 'Sends one SMS of at most ten segments, to a person who has consented to it.',
      inputSchema: {
        to: z.string().describe('A number in E.164 format'),
        body: z.string(),
        topicId,
        scheduledAt: time.optional(),
        idempotencyKey,
      },
      annotations: SENDS,
    },
    ({ idempotencyKey: key, ...sms }) => toResult(() => client.sms.send(sms, { idempotencyKey: key })),
  );
  server.registerTool(
    'cancel_message',
    { description: 'Cancels a message that is still queued.', inputSchema: { id: messageId }, annotations: CHANGES },
    ({ id }) => toResult(() => client.messages.cancel(id)),
  );
  server.registerTool(
    'reschedule_message',
    {
      description: 'Gives a message that is still queued another time.',
      inputSchema: { id: messageId, scheduledAt: time },
      annotations: CHANGES,
    },
    ({ id, scheduledAt }) => toResult(() => client.messages.reschedule(id, scheduledAt)),
  );
}
