import { Readable } from 'node:stream';

import { describe, expect, it } from '@jest/globals';

import type { Config } from '../../../config/config.js';
import { BodyMemory } from '../../../platform/http/large-body/body-memory.js';
import type { RequestsInFlight } from '../../../platform/metrics/requests-in-flight.js';
import { MailReceiver } from './mail-receiver.js';

const nothing = () => undefined;
const IN_FLIGHT = { isFull: false, begin: nothing, end: nothing, receive: () => nothing, wait: () => nothing };
const LINE = Buffer.from(`${'x'.repeat(98)}\r\n`);
const lines = (count: number) => Readable.from(Array.from({ length: count / 100 }, () => LINE.toString().repeat(100)));

describe('MailReceiver', () => {
  const receiver = () =>
    new MailReceiver(
      new BodyMemory({ maxAttachmentsMb: 10 } as Config),
      IN_FLIGHT as Partial<RequestsInFlight> as RequestsInFlight,
    );
  const transfer = (announcedBytes = 0) => ({ accountId: 'a1', announcedBytes, abort: nothing });
  const asBuffers = (stream: Readable) => Readable.from(stream.map((text: string) => Buffer.from(text)));
  const toLength = ({ bytes }: { bytes: Buffer }) => Promise.resolve(bytes.length);

  it('keeps no chunks, of which a mail with dots has one for each line', async () => {
    function* chunks() {
      const reused = Buffer.from('.0\r\n');
      for (let i = 0; i < 1_000; i++) {
        reused[1] = 0x30 + (i % 10);
        yield reused;
      }
    }
    const text = await receiver().receive(Readable.from(chunks(), { highWaterMark: 1 }), transfer(), ({ bytes }) =>
      Promise.resolve(bytes.toString()),
    );
    expect(text).toBe(Array.from({ length: 1_000 }, (_, i) => `.${i % 10}\r\n`).join(''));
  });

  it.each([0, 500_000, 2_900_000, 3_000_000, 15_000_000])(
    'takes a mail of 3 MB, of which %i bytes were announced',
    async (announced) => {
      const mail = asBuffers(lines(30_000));
      expect(await receiver().receive(mail, transfer(announced), toLength)).toBe(3_000_000);
    },
  );

  it('takes several mails of a little more than 1 MB of an account at once, although none is announced', async () => {
    const shared = receiver();
    let inWork = 0;
    let allArrived: () => void = nothing;
    const all = new Promise<void>((resolve) => (allArrived = resolve));
    const received = Array.from({ length: 6 }, () =>
      shared.receive(asBuffers(lines(11_000)), transfer(), async ({ bytes }) => {
        if (++inWork === 6) allArrived();
        await all;
        return bytes.length;
      }),
    );
    expect(await Promise.all(received)).toEqual(Array.from({ length: 6 }, () => 1_100_000));
  });

  it('lets accounts take turns while large mails arrive, however many one of them sends', async () => {
    const shared = receiver();
    const order: string[] = [];
    const receive = async (accountId: string) => {
      await shared.receive(asBuffers(lines(10_000)), { ...transfer(), accountId }, toLength);
      order.push(accountId);
    };
    await Promise.all([...['noisy', 'noisy', 'noisy', 'noisy'].map(receive), receive('quiet')]);
    expect(order[0]).toBe('quiet');
  });
});
