import { once } from 'node:events';
import { Transform, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';

import { LeaseEndedError } from '../../shared/submission-check.js';
import { nextTurn } from '../../concurrency/time-slice.js';
import { contentOf, type RawMail } from './mail-content.js';

const mailOf = (raw: string, ...rest: Buffer[]): RawMail => ({
  ...{ from: 'shop@example.com', to: 'ada@example.org', messageId: 'c1@example.com' },
  ...{ raw: Buffer.from(raw), rest, encoded: new Set(rest) },
});
const checkOf = (isHeld: () => boolean) => ({
  confirm: () => Promise.resolve(),
  isConfirmed: () => true,
  isHeld,
});
const passing = () =>
  new Transform({
    transform: (chunk, _encoding, done) => {
      done(null, chunk);
    },
  });

describe('The content of a mail', () => {
  it('is written in the step that checks the lease, not after the checks of other connections', async () => {
    const steps: string[] = [];
    const sending = ['a', 'b', 'c'].map((name) => {
      const check = checkOf(() => steps.push(`check ${name}`) > 0);
      const socket = passing().on('data', () => steps.push(`write ${name}`));
      return once(contentOf(mailOf('Hi\r\n'), check).pipe(socket), 'end');
    });
    await Promise.all(sending);
    expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`check ${name}`, `write ${name}`]));
  });

  it('has all parts, the lines of files as they are, and the end in the last write', async () => {
    const written: string[] = [];
    const file = Buffer.from('.AAAA\r\n'.repeat(100_000));
    const mail = mailOf('Subject: x\r\n\r\n.dot\r\n', file, Buffer.alloc(0), Buffer.from('--end--\r\n'));
    const socket = passing().on('data', (chunk: Buffer) => written.push(chunk.toString()));
    await once(contentOf(mail, undefined).pipe(socket), 'end');
    expect(written).toEqual(['Subject: x\r\n\r\n..dot\r\n', file.toString(), '--end--\r\n.\r\n']);
  });

  it('ends before its end if the lease ends meanwhile, but not after the last line', async () => {
    let checks = 0;
    const content = contentOf(
      mailOf('Hi\r\n', Buffer.from('AAAA\r\n')),
      checkOf(() => ++checks === 1),
    );
    await expect(buffer(content)).rejects.toBeInstanceOf(LeaseEndedError);
    checks = 0;
    expect(
      await buffer(
        contentOf(
          mailOf('Hi\r\n'),
          checkOf(() => ++checks === 1),
        ),
      ),
    ).toEqual(Buffer.from('Hi\r\n.\r\n'));
  });

  it('checks a part when it is written, not ahead of it, while the relay accepts nothing', async () => {
    let isHeld = true;
    const mail = mailOf('Hi\r\n', Buffer.from('AAAA\r\n'));
    const content = contentOf(
      mail,
      checkOf(() => isHeld),
    );
    const escaping = passing();
    const written: string[] = [];
    let accept: (() => void) | undefined;
    const socket = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        accept = done;
      },
    });
    escaping.pipe(socket);
    const failed = once(content, 'error');
    content.pipe(escaping);
    while (!accept) await nextTurn();
    await nextTurn();
    isHeld = false;
    accept();
    expect(await failed).toEqual([expect.any(LeaseEndedError)]);
    expect(written).toEqual(['Hi\r\n']);
  });
});
