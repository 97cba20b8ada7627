#!/usr/bin/env node
import process from 'node:process';
import { parseArgs } from 'node:util';

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { DeliveryClient } from 'opt-in-delivery-sdk';

import { createServer } from './server.js';

const USAGE = `Usage: opt-in-delivery-mcp [--allow-send] [--live]

A server of the Model Context Protocol on standard input and output. Without options its tools only read.
--allow-send  adds tools that send, cancel and reschedule; they need a test key (sk_test_…)
--live        lets these tools use a live key: people get what is sent

The environment holds DELIVERY_API_KEY and DELIVERY_BASE_URL (http://localhost:3000).
`;

const TEST_KEY = /^sk_test_/;

/** Nothing but the protocol goes to standard output. */
function fail(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function readOptions(): { allowSend: boolean; live: boolean } {
  try {
    const options = { 'allow-send': { type: 'boolean' }, live: { type: 'boolean' } } as const;
    const { values } = parseArgs({ options });
    return { allowSend: values['allow-send'] ?? false, live: values.live ?? false };
  } catch (error) {
    return fail((error as Error).message);
  }
}

const { allowSend, live } = readOptions();
const { DELIVERY_API_KEY: apiKey, DELIVERY_BASE_URL: baseUrl = 'http://localhost:3000' } = process.env;
if (!apiKey) fail('DELIVERY_API_KEY must hold the secret of an API key');
if (allowSend && !live && !TEST_KEY.test(apiKey)) fail('--allow-send with a live key needs --live');

const server = createServer(new DeliveryClient({ apiKey, baseUrl }), { allowSend });
await server.connect(new StdioServerTransport());
