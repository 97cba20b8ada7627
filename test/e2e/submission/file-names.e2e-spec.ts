import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import { SmtpClient } from '../../support/smtp-client.js';
import { SubmissionFixture } from '../../support/submission-fixture.js';

describe('A mail with files by SMTP submission', () => {
  let fixture: SubmissionFixture;
  let client: SmtpClient;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
    client = await SmtpClient.login(fixture.port, fixture.secret);
  });
  afterAll(async () => {
    client.close();
    await fixture.stop();
  });

  const submit = (part: string[]) =>
    client.submit(SENDER, ['ada@example.org'], [`From: ${SENDER}`, ...part, 'Subject: Hi', '', 'Hello'].join('\r\n'));

  it('is refused for the file types that providers refuse, in whatever part', async () => {
    const type = ['Content-Type: application/octet-stream; name="a.exe"'];
    expect(await submit(type)).toEqual({
      code: 554,
      text: 'An attachment has a type that providers refuse: .exe',
    });
  });

  it.each([
    ['the name of its type', '; name="evil.exe"', 'attachment; filename="a.txt"'],
    ['the name of its disposition', '; name="a.txt"', 'attachment; filename="evil.exe"'],
    ['an encoded name', '', `attachment; filename="a.txt"; filename*=utf-8''evil%2Eexe`],
    ['a name in several sections', '', 'attachment; filename="a.txt"; filename*0="evil."; filename*1="exe"'],
    ['a repeated name', '', 'attachment; filename="a.txt"; FileName = evil.exe'],
    ['a repeated disposition', '', 'attachment; filename="a.txt"\r\nContent-Disposition: inline; filename="evil.exe"'],
  ])('is refused for a file type that providers refuse in %s beside another', async (_, name, disposition) => {
    const part = [`Content-Type: application/octet-stream${name}`, `Content-Disposition: ${disposition}`];
    expect(await submit(part)).toEqual({
      code: 554,
      text: 'An attachment has a type that providers refuse: .exe',
    });
  });

  it('is accepted for names that say the same', async () => {
    const type = 'Content-Type: application/pdf; name="=?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?="';
    const disposition = `Content-Disposition: attachment; filename="Gruesse.pdf"; filename*=utf-8''Gr%C3%BC%C3%9Fe.pdf`;
    expect(await submit([type, disposition])).toMatchObject({ code: 250 });
  });

  it.each([`filename="=?x-unknown?Q?evil=2Eexe?="`, `filename*=utf-8''%FF.exe`])(
    'is refused for a file whose name cannot be decoded: %s',
    async (name) => {
      const part = ['Content-Type: application/octet-stream', `Content-Disposition: attachment; ${name}`];
      expect(await submit(part)).toEqual({
        code: 554,
        text: 'An attachment has a name that cannot be decoded',
      });
    },
  );

  it.each(['evil.exe/', 'a/b.txt', String.raw`evil.exe\\`])('is refused for a file called %s', async (name) => {
    const type = [`Content-Type: application/octet-stream; name="${name}"`];
    expect(await submit(type)).toEqual({
      code: 554,
      text: 'An attachment has a name with / or \\',
    });
  });
});
