import { once } from 'node:events';
import { connect } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type ReceivedMail, Relay } from './relay.js';

describe('The relay', () => {
  let relay: Relay;
  let mails: ReceivedMail[];

  beforeEach(async () => {
    relay = await Relay.start();
    mails = [];
  });
  afterEach(() => relay.stop());

  /** Submits a mail; `beforeAnswer` is called when the relay has it, and returns once the relay may answer. */
  async function submit(beforeAnswer: (disconnect: () => void) => void): Promise<void> {
    const socket = connect(relay.port, '127.0.0.1');
    const received = new Promise<void>((resolve) => {
      relay.onMail = (mail) => {
        mails.push(mail);
        resolve();
      };
    });
    relay.answer = (phase) => {
      if (phase === 'data') beforeAnswer(() => socket.destroy());
      return undefined;
    };
    socket.write('MAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n');
    for (let replies = ''; !replies.includes('354');) replies += String((await once(socket, 'data'))[0]);
    socket.write('Message-ID: <m1@example.com>\r\n\r\nHello\r\n.\r\n');
    await received;
    socket.destroy();
  }

  it('records a mail whose sender gets the answer', async () => {
    await submit(() => undefined);
    expect(mails).toMatchObject([{ recipient: 'b@example.org', messageId: 'm1', isAnswerLost: false }]);
  });

  it('knows that the answer is lost if the sender has given up just before', async () => {
    await submit((disconnect) => {
      disconnect();
    });
    expect(mails).toMatchObject([{ recipient: 'b@example.org', messageId: 'm1', isAnswerLost: true }]);
  });
});
