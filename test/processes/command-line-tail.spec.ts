import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CommandLine } from '../support/command-line.js';
import { addTopic } from '../support/topics.js';
import { waitFor } from '../support/wait-for.js';

const FROM = CommandLine.SENDER;

describe('opt-in-delivery tail', () => {
  let fixture: CommandLine;

  beforeAll(async () => {
    fixture = await CommandLine.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => fixture.openAccount());

  const post = async (to: string) => {
    const body = { to, fromEmail: FROM, subject: 'Hello\u202e', text: 'Hello' };
    const sent = await fixture.service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', fixture.secret)
      .send(body)
      .expect(201);
    return sent.body.messageLogId as string;
  };

  it('prints the latest messages, oldest first', async () => {
    for (const to of ['a@example.org', 'b@example.org', 'c@example.org']) {
      await post(to);
      fixture.service.clock.advance({ seconds: 1 });
    }
    const { code, stdout } = await fixture.run(['tail', '-n', '2', '--once']);
    expect(code).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => /[abc]@example\.org/.exec(line)![0])).toEqual(['b@example.org', 'c@example.org']);
    expect(stdout).not.toContain('\u202e');
    const json = await fixture.run(['tail', '--once', '--json']);
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).to),
    ).toHaveLength(3);
  });

  const cancel = (id: string) =>
    fixture.service.request('post', `/api/messages/${id}/cancel`).set('X-API-Key', fixture.secret).expect(200);

  it('follows what happens to messages, each event once', async () => {
    const interrupted = new AbortController();
    const first = await post('first@example.org');
    const { code, printed } = fixture.start(['tail', '--json'], { signal: interrupted.signal });
    const seen = () =>
      printed.stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    await waitFor('the first message', () => seen().length === 1);
    const second = await post('second@example.org');
    for (const id of [second, first]) await cancel(id);
    await waitFor('their events', () => seen().length === 3);
    interrupted.abort();
    expect(await code).toBe(0);
    expect(seen()).toMatchObject([
      { id: first, status: 'queued' },
      { messageLogId: second, type: 'canceled' },
      { messageLogId: first, type: 'canceled' },
    ]);
  });

  it('follows the messages of a topic alone', async () => {
    const interrupted = new AbortController();
    const { id: topic } = await addTopic(fixture.account);
    const wanted = ['send', '--to', 'ada@example.org', '--from', FROM, '--subject', 'Hello', '--text', 'Hi', '--json'];
    const send = async (...options: string[]) => {
      const { stdout } = await fixture.run([...wanted, ...options]);
      return (JSON.parse(stdout) as { messageLogId: string }).messageLogId;
    };
    const [other, id] = [await send(), await send('--topic', topic)];
    const args = ['tail', '--topic', topic];
    const { code, printed } = fixture.start(args, { signal: interrupted.signal });
    await waitFor('the message', () => printed.stdout !== '');
    for (const each of [other, id]) await cancel(each);
    await waitFor('its event', () => printed.stdout.split('\n').length === 3);
    interrupted.abort();
    expect(await code).toBe(0);
    expect(printed.stdout.match(/c[a-z0-9]{24}/g)).toEqual([id, id]);
  });

  it('follows the messages with a tag and a text alone, and shows to whom they are', async () => {
    const interrupted = new AbortController();
    const send = async (to: string, tags: string[]) => {
      const body = { to, fromEmail: FROM, subject: 'Hello\u202e', text: 'Hello', tags };
      const request = fixture.service.request('post', '/api/send/transactional').set('X-API-Key', fixture.secret);
      return (await request.send(body).expect(201)).body.messageLogId as string;
    };
    const wanted = await send('wanted@example.org', ['order']);
    const others = [await send('wanted@example.org', ['news']), await send('other@example.org', ['order'])];
    const args = ['tail', '--tag', 'order', '--search', 'WANTED'];
    const { code, printed } = fixture.start(args, { signal: interrupted.signal });
    await waitFor('the message', () => printed.stdout !== '');
    for (const id of [...others, wanted]) await cancel(id);
    await waitFor('its event', () => printed.stdout.split('\n').length === 3);
    interrupted.abort();
    expect(await code).toBe(0);
    const line = (what: string) => new RegExp(`^\\S+Z  ${what} +${wanted}  wanted@example\\.org  Hello $`);
    const [listed, followed] = printed.stdout.split('\n');
    expect(listed).toMatch(line('queued'));
    expect(followed).toMatch(line('canceled'));
  });
});
