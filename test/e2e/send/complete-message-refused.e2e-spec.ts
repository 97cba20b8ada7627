import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';
const FILE = { filename: 'a.txt', content: 'QUFB' };
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@example.org`);
const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'x']));

const REFUSED: [fault: string, mail: object][] = [
  ['cc must have at most 20 addresses', { cc: addresses(21) }],
  ['bcc must have at most 20 addresses', { bcc: addresses(21) }],
  ['cc[1] must be an email address', { cc: ['ada@example.org', 'nobody'] }],
  ['bcc[0] must be an email address', { bcc: ['a@example.org\r\nBcc: b@example.org'] }],
  ['cc[0] must have only ASCII characters before the @', { cc: ['jürgen@example.org'] }],
  ['cc must be an array', { cc: 'ada@example.org' }],
  ['attachments must be an array', { attachments: FILE }],
  ['attachments must have at most 20 entries', { attachments: Array(21).fill(FILE) }],
  ['attachments[0] must be an object', { attachments: ['QUFB'] }],
  ['attachments[1].content is not base64', { attachments: [FILE, { ...FILE, content: 'not base64!' }] }],
  ['attachments[0].content is not base64', { attachments: [{ ...FILE, content: 'QUF' }] }],
  ['attachments[0].content is not base64', { attachments: [{ ...FILE, content: 'QUFB\r\nQUFB' }] }],
  ['attachments[0].content is required', { attachments: [{ filename: 'a.txt' }] }],
  ['attachments[0].filename is required', { attachments: [{ content: 'QUFB' }] }],
  ['attachments[0].data is not a known field', { attachments: [{ ...FILE, data: 'x' }] }],
  ['attachments[0].filename has a type that providers refuse: .exe', { attachments: [{ ...FILE, filename: 'a.EXE' }] }],
  [
    'attachments[0].filename has a type that providers refuse: .exe',
    { attachments: [{ ...FILE, filename: 'a.exe::$DATA' }] },
  ],
  [
    'attachments[0].filename must not contain invisible characters',
    { attachments: [{ ...FILE, filename: 'a.exe\u200b' }] },
  ],
  ['attachments[0].filename must not contain / or \\', { attachments: [{ ...FILE, filename: 'evil.exe/' }] }],
  ['attachments[0].filename must not contain / or \\', { attachments: [{ ...FILE, filename: 'a\\b.txt' }] }],
  ['attachments[0].filename must not contain =?', { attachments: [{ ...FILE, filename: '=?utf-8?B?YS5leGU=?=' }] }],
  ['attachments[0].filename has a type that providers refuse: .js', { attachments: [{ ...FILE, filename: 'a.js. ' }] }],
  [
    'attachments[0].filename must not contain line breaks or control characters',
    { attachments: [{ ...FILE, filename: 'a\r\nX: y.txt' }] },
  ],
  [
    'attachments[0].contentType must be a media type, such as application/pdf',
    { attachments: [{ ...FILE, contentType: 'text/plain\r\nX-A: b' }] },
  ],
  [
    'attachments[0].contentType must not be multipart or message',
    { attachments: [{ ...FILE, contentType: 'message/rfc822' }] },
  ],
  [
    'attachments[0].contentId must be 1 to 78 characters without spaces, quotes and brackets',
    { attachments: [{ ...FILE, contentId: 'a>\r\nX-A: b' }] },
  ],
  [
    'attachments[1].contentId is used by another attachment',
    {
      attachments: [
        { ...FILE, contentId: 'a' },
        { ...FILE, contentId: 'a' },
      ],
    },
  ],
  ['headers must have at most 20 entries', { headers: entries(21) }],
  ['headers.X-A must not contain line breaks or control characters', { headers: { 'X-A': 'a\r\nBcc: b@example.org' } }],
  ['headers.X-A must have 1 to 900 bytes', { headers: { 'X-A': 'ä'.repeat(451) } }],
  ['headers.X-A must be a string', { headers: { 'X-A': 1 } }],
  ['headers.X A must have a name of 1 to 76 letters, digits and hyphens', { headers: { 'X A': 'b' } }],
  ['headers.x-a is given twice', { headers: { 'X-A': 'a', 'x-a': 'b' } }],
  ['headers must be an object', { headers: ['X-A: b'] }],
  ['tags must have at most 10 entries', { tags: Array.from({ length: 11 }, (_, i) => `t${i}`) }],
  ['tags[0] must be 1 to 50 letters, digits, underscores and hyphens', { tags: ['two words'] }],
  ['metadata must have at most 20 entries', { metadata: entries(21) }],
  ['metadata.order must be a string', { metadata: { order: 4711 } }],
  ['metadata.note must not contain line breaks or control characters', { metadata: { note: 'a\nb' } }],
  ['metadata is larger than 4096 bytes together', { metadata: { a: 'x'.repeat(4_096) } }],
];

/** Headers that the service or the vendor owns, in any case. */
const OWNED =
  `From to CC bcc Sender Reply-To Subject Date Message-ID message-id MIME-Version Content-Type DKIM-Signature
  ARC-Seal Received Return-Path List-Unsubscribe List-Unsubscribe-Post X-SES-CONFIGURATION-SET X-SMTPAPI
  X-Mailgun-Variables X-PM-Tag X-Message-Ref X-MC-Subaccount X-MSYS-API X-Mailin-custom X-Sib-Sandbox X-MJ-CustomID
  X-Mailjet-Campaign Resent-From Resent-To Apparently-To Delivered-To X-Original-To`.split(/\s+/);

describe('A complete message with a fault', () => {
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    await account.verifySender(SENDER);
    ({ secret } = await account.createKey());
  });
  afterAll(async () => {
    const tables = ['message_logs', 'message_contents', 'message_attachments', 'message_tags', 'pending_deliveries'];
    for (const table of tables) expect(await service.query(`SELECT FROM ${table}`)).toEqual([]);
    expect(await service.query('SELECT FROM daily_usage WHERE used > 0')).toEqual([]);
    await service.stop();
  });

  const send = (mail: object) => postEmail(service, secret, { html: '<p>Hello</p>', ...mail });

  it.each(REFUSED)('is refused: %s', async (fault, mail) => {
    await send(mail).expect(400, badRequest(fault));
  });

  it.each(OWNED)('is refused if it sets the header %s', async (name) => {
    await send({ headers: { [name]: 'x' } }).expect(400, badRequest(`headers.${name} is set by the service`));
  });

  it('lists all faults, also those of other fields', async () => {
    const faults = [
      'cc[0] must be an email address',
      'attachments[0].content is not base64',
      'tags[0] must be 1 to 50 letters, digits, underscores and hyphens',
      'fromEmail must be an email address',
    ];
    const { body } = await send({
      fromEmail: 'nobody',
      cc: ['nobody'],
      attachments: [{ ...FILE, content: '!' }],
      tags: [''],
    }).expect(400);
    for (const fault of faults) expect(body.message.split('; ')).toContain(fault);
  });

  it('is refused for a recipient whom the others could not see in ASCII', async () => {
    const message = 'to must have only ASCII characters before the @ if there are copies';
    await send({ to: 'jürgen@example.org', cc: ['ada@example.org'] }).expect(400, badRequest(message));
  });

  it('is refused in a test of a template, too', async () => {
    const { body } = await account
      .asAdmin('post', '/api/templates')
      .send({ name: 'T', subject: 'S', text: 'x' })
      .expect(201);
    await account
      .asAdmin('post', `/api/templates/${body.id}/test`)
      .send({ to: 'ada@example.org', fromEmail: SENDER, attachments: [{ ...FILE, content: '!' }] })
      .expect(400, errorBody(400, 'attachments[0].content is not base64'));
  });
});
