import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SENDER } from '../support/relay-fixture.js';
import { SubmissionFixture } from '../support/submission-fixture.js';
import { waitFor } from '../support/wait-for.js';

const TO = 'ada@example.org';
const isInstalled = (program: string) => spawnSync('which', [program]).status === 0;

const PYTHON = `
import email.utils, os, smtplib, ssl
from email.message import EmailMessage
mail = EmailMessage()
mail['From'], mail['To'], mail['Subject'] = 'Shop <${SENDER}>', '${TO}', 'Grüße'
mail['Message-ID'] = email.utils.make_msgid()
mail.set_content('Hello from Python: ä')
mail.add_alternative('<p>Hello from Python: ä</p>', subtype='html')
mail.add_attachment(b'%PDF', maintype='application', subtype='pdf', filename='Größe.pdf')
context = ssl._create_unverified_context()
with smtplib.SMTP('127.0.0.1', int(os.environ['PORT'])) as smtp:
    smtp.starttls(context=context)
    smtp.login('apikey', os.environ['KEY'])
    smtp.send_message(mail)
`;

/** The programs of docs/smtp.md, as far as they are installed. nodemailer is used by the other tests. */
describe('SMTP submission by', () => {
  let fixture: SubmissionFixture;
  let directory: string;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
    directory = mkdtempSync(join(tmpdir(), 'smtp-programs-'));
  });
  beforeEach(() => {
    fixture.relay.reset();
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    await fixture.stop();
  });

  const file = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content);
    chmodSync(path, 0o600);
    return path;
  };
  async function run(program: string, args: readonly string[], input = ''): Promise<void> {
    const env = { ...process.env, KEY: fixture.secret, PORT: String(fixture.port) };
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const output = await Promise.all([text(child.stdout), text(child.stderr)]);
    if ((await ended) !== 0) throw new Error(`${program}: ${output.join('')}`);
  }
  const received = async (count = 1) => {
    const mails = await waitFor(
      `${count} mails`,
      () => fixture.relay.received().length >= count && fixture.relay.received(),
    );
    return mails[0]!.parsed;
  };
  const withProgram = (program: string) => (isInstalled(program) ? it : it.skip);

  withProgram('python3')("Python's smtplib", async () => {
    await run('python3', [file('send.py', PYTHON)]);
    const mail = await received();
    expect(mail).toMatchObject({ subject: 'Grüße', from: { text: '"Shop" <shop@example.com>' } });
    expect(mail.text).toContain('Hello from Python: ä');
    expect(mail.attachments).toMatchObject([{ filename: 'Größe.pdf', content: Buffer.from('%PDF') }]);
  });

  withProgram('curl')('curl, over TLS and STARTTLS', async () => {
    const mail = file('mail.txt', `From: ${SENDER}\nTo: ${TO}\nSubject: Hello\n\nHello\nfrom curl\n`);
    const args = [
      '--silent',
      '--show-error',
      '--insecure',
      '--crlf',
      '--ssl-reqd',
      '--user',
      `apikey:${fixture.secret}`,
    ];
    const envelope = ['--mail-from', SENDER, '--mail-rcpt', TO, '--upload-file', mail];
    await run('curl', [...args, `smtp://127.0.0.1:${fixture.port}`, ...envelope]);
    await run('curl', [...args, `smtps://127.0.0.1:${fixture.tlsPort}`, ...envelope]);
    expect((await received(2)).text).toBe('Hello\nfrom curl\n');
  });

  withProgram('swaks')('swaks', async () => {
    const server = ['--server', `127.0.0.1:${fixture.port}`, '--tls', '--auth', 'LOGIN', '--auth-user', 'apikey'];
    const mail = ['--from', SENDER, '--to', TO, '--header', 'X-Service-Tag: test', '--body', 'Hello from swaks'];
    await run('swaks', [...server, '--auth-password', fixture.secret, ...mail]);
    expect((await received()).text).toContain('Hello from swaks');
  });

  withProgram('msmtp')('msmtp', async () => {
    const settings = [
      'account default',
      'host 127.0.0.1',
      `port ${fixture.port}`,
      'tls on',
      'tls_certcheck off',
      'auth on',
      'user apikey',
      `passwordeval "cat ${file('mail-key', `${fixture.secret}\n`)}"`,
      `from ${SENDER}`,
    ];
    const config = file('msmtprc', `${settings.join('\n')}\n`);
    await run('msmtp', [`--file=${config}`, TO], `From: ${SENDER}\nTo: ${TO}\nSubject: Hello\n\nHello from msmtp\n`);
    expect((await received()).text).toContain('Hello from msmtp');
  });
});
