#!/usr/bin/env node
import process from 'node:process';

import { run } from './run.js';

const interrupted = new AbortController();
process.once('SIGINT', () => {
  interrupted.abort();
});
// Whoever reads the output may stop reading, like head.
process.stdout.on('error', () => {
  process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY && !process.env.NO_COLOR,
  signal: interrupted.signal,
});
