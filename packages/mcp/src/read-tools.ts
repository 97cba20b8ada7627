import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { DeliveryClient } from 'opt-in-delivery-sdk';
import { z } from 'zod';

import { toResult } from './result.js';

const READS = { readOnlyHint: true, openWorldHint: false };

const status = z.enum([
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'canceled',
]);

const messageFilters = {
  status: z.array(status).optional(),
  channel: z.enum(['email', 'sms']).optional(),
  tag: z.string().optional().describe('A tag that the message was sent with'),
  topicId: z.string().optional().describe('The topic that the message was sent with'),
  search: z.string().optional().describe('Part of the recipient, the sender or the subject'),
  from: z.string().optional().describe('Accepted at this ISO 8601 date or date-time or later'),
  to: z.string().optional().describe('Accepted before this date-time, or until the end of this date'),
};

export const messageId = z.string().describe('The id of a message: c and 24 letters or digits');

/** Adds the tools that only read. They use the scopes read_events, contacts:read and sms:send. */
export function addReadTools(server: McpServer, client: DeliveryClient): void {
  addMessageTools(server, client);
  addContactTools(server, client);
  server.registerTool(
    'preview_sms',
    {
      description: 'Counts the segments of a text, each of which is charged. Sends nothing.',
      inputSchema: { text: z.string() },
      annotations: READS,
    },
    ({ text }) => toResult(() => client.sms.preview(text)),
  );
}

function addMessageTools(server: McpServer, client: DeliveryClient): void {
  server.registerTool(
    'list_messages',
    {
      description: 'Lists messages of this key, newest first. The page has a nextCursor unless it is the last one.',
      inputSchema: {
        ...messageFilters,
        limit: z.number().int().min(1).max(100).optional().describe('25 by default'),
        cursor: z.string().optional().describe('The nextCursor of the previous page'),
      },
      annotations: READS,
    },
    (filters) => toResult(() => client.messages.page(filters)),
  );
  server.registerTool(
    'get_message',
    {
      description: 'Returns a message with its timeline: every attempt, bounce, open and click.',
      inputSchema: { id: messageId },
      annotations: READS,
    },
    ({ id }) => toResult(() => client.messages.get(id)),
  );
  server.registerTool(
    'aggregate_messages',
    {
      description: 'Counts messages of this key by status, and how many were opened and clicked.',
      inputSchema: { ...messageFilters, subject: z.string().optional().describe('The whole subject') },
      annotations: READS,
    },
    (filters) => toResult(() => client.messages.aggregate(filters)),
  );
}

function addContactTools(server: McpServer, client: DeliveryClient): void {
  const page = {
    page: z.number().int().min(1).optional(),
    limit: z.number().int().min(1).max(100).optional().describe('25 by default'),
  };
  server.registerTool(
    'list_contacts',
    {
      description: 'Lists contacts of the account, newest first. Only those with the status active can be mailed.',
      inputSchema: {
        ...page,
        search: z.string().optional().describe('Part of the address, a name or the company'),
        status: z.enum(['active', 'unsubscribed', 'bounced', 'complained']).optional(),
        tag: z.string().optional(),
        listId: z.string().optional(),
      },
      annotations: READS,
    },
    (filters) => toResult(() => client.contacts.page(filters)),
  );
  server.registerTool(
    'get_contact',
    { description: 'Returns a contact.', inputSchema: { id: z.string() }, annotations: READS },
    ({ id }) => toResult(() => client.contacts.get(id)),
  );
  server.registerTool(
    'list_lists',
    { description: 'Lists the lists of contacts of the account.', inputSchema: page, annotations: READS },
    (filters) => toResult(() => client.lists.page(filters)),
  );
  server.registerTool(
    'list_topics',
    {
      description: 'Lists the topics of the account: what messages are about, and what a person can unsubscribe from.',
      inputSchema: page,
      annotations: READS,
    },
    (filters) => toResult(() => client.topics.page(filters)),
  );
}
