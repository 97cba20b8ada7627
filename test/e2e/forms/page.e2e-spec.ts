import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

import { NO_SUCH_ID } from '../../support/api-fixtures.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { FormFixture, newClient, type TestForm } from '../../support/form-fixture.js';
import { TestService } from '../../support/service.js';

const ORIGIN = 'https://www.example.com';
const MAX_EMBED_BYTES = 3_000;

describe('GET /f/:formId', () => {
  let service: TestService;
  let fixture: FormFixture;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    fixture = await FormFixture.open(service);
  });

  const open = (form: Pick<TestForm, 'id'>) => service.request('get', `/f/${form.id}`);

  it('shows the fields and the words, without scripts if the form has no challenge', async () => {
    const wording = 'I want <i>news</i>, see https://example.com/privacy.';
    const form = await fixture.createForm({ name: 'News & more', fields: ['firstName', 'company'], wording });
    const { text, headers } = await open(form).expect(200).expect('Content-Type', 'text/html; charset=utf-8');
    expect(text).toContain('<h1>News &amp; more</h1>');
    expect([...text.matchAll(/<input [^>]*name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      ...['email', 'firstName', 'company', 'x_comment', 'wordingVersion'],
    ]);
    expect(text).toContain('I want &lt;i&gt;news&lt;/i&gt;, see <a href="https://example.com/privacy" target="_blank"');
    expect(text).toContain('</a>.</p>');
    expect(text).not.toContain('<script');
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+' 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      ),
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    expect(headers.vary).toContain('Accept-Language');
  });

  it('is in German for a browser that prefers it', async () => {
    const { text } = await open(await fixture.createForm()).set('Accept-Language', 'de-CH,de;q=0.9,en;q=0.8');
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('E-Mail-Adresse');
  });

  it('may be framed by pages of its origins, and redirect to its address', async () => {
    const wanted = { allowedOrigins: [ORIGIN, 'http://localhost:8080'], redirectUrl: 'https://example.net/thanks' };
    const { text, headers } = await open(await fixture.createForm(wanted)).expect(200);
    const policy = headers['content-security-policy'];
    expect(policy).toContain(`frame-ancestors ${ORIGIN} http://localhost:8080;`);
    expect(policy).toContain("form-action 'self' https://example.net;");
    expect(headers['x-frame-options']).toBeUndefined();
    expect(text).toContain('<form method="post" target="_top">');
  });

  it('loads the challenge from the service alone, by a nonce', async () => {
    const form = await fixture.createForm({ challenge: 'altcha' });
    const { text, headers } = await open(form).expect(200);
    const nonce = /script-src 'nonce-([^']+)'/.exec(headers['content-security-policy']!)![1]!;
    expect(text).toContain(`<script type="module" src="/f/assets/altcha.js" nonce="${nonce}">`);
    expect(text).toContain(`challenge="/f/${form.id}/challenge"`);
    expect((await open(form)).headers['content-security-policy']).not.toContain(nonce);
    for (const name of ['altcha.js', 'altcha.css', 'pbkdf2.js', 'frame.js'])
      await service.request('get', `/f/assets/${name}`).expect(200).expect('X-Content-Type-Options', 'nosniff');
    await service.request('get', '/f/assets/package.json').expect(404);
  });

  it('answers 404 for a form that is unknown or disabled', async () => {
    const disabled = await fixture.createForm({ status: 'disabled' });
    for (const form of [disabled, { id: NO_SUCH_ID }, { id: '%00' }]) {
      expect((await open(form).expect(404)).text).toContain('<h1>This form does not exist</h1>');
      for (const part of ['embed.js', 'challenge'])
        expect((await service.request('get', `/f/${form.id}/${part}`).expect(404)).body).toMatchObject(
          errorBody(404, 'Form not found'),
        );
    }
  });

  it('has a script of at most 3 kB that any page may load', async () => {
    const form = await fixture.createForm();
    const { text, headers } = await service.request('get', `/f/${form.id}/embed.js`).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_EMBED_BYTES);
    expect(text).not.toMatch(/import\s|require\(/);
  });

  describe('with a challenge', () => {
    let form: TestForm;

    beforeEach(async () => {
      form = await fixture.createForm({ challenge: 'altcha', allowedOrigins: [ORIGIN] });
    });

    const fetchChallenge = async ({ id }: Pick<TestForm, 'id'> = form): Promise<Challenge> =>
      (await service.request('get', `/f/${id}/challenge`).expect(200)).body;

    const solve = async (challenge: Challenge) => ({
      challenge,
      solution: await solveChallenge({ challenge, deriveKey }),
    });
    const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');
    const submit = (challenge: unknown) => fixture.submitJson(form, { email: 'ada@example.org', challenge });
    const refused = async (challenge: unknown) => {
      const { body } = await submit(challenge).expect(400);
      expect(body).toMatchObject(
        badRequest('challenge is not a solution of a challenge of this form, or was used before, or has expired'),
      );
    };

    it('accepts a solution once, even at the same time', async () => {
      const solution = encode(await solve(await fetchChallenge()));
      const answers = await Promise.all([submit(solution), submit(solution), submit(solution)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400]);
      await refused(solution);
      expect(await fixture.signups()).toHaveLength(1);
    });

    it('shows the form again, with what was filled in, without a solution', async () => {
      const { text } = await fixture.submit(form, { email: 'ada@example.org' }).expect(400);
      expect(text).toContain('role="alert">The check that you are not a program');
      expect(text).toContain('value="ada@example.org"');
      expect(await fixture.signups()).toEqual([]);
    });

    it('refuses a solution after ten minutes, by the clock of the database and not of the process', async () => {
      const [early, late] = [await solve(await fetchChallenge()), await solve(await fetchChallenge())];
      service.clock.advance({ minutes: 9 });
      await submit(encode(early)).expect(202);
      service.clock.advance({ minutes: 1 });
      await refused(encode(late));
    });

    it('refuses the solution of another form', async () => {
      const other = await fixture.createForm({ challenge: 'altcha' });
      await refused(encode(await solve(await fetchChallenge(other))));
    });

    it('refuses what is altered, easier, unsigned or malformed', async () => {
      const { challenge, solution } = await solve(await fetchChallenge());
      const { parameters, signature } = challenge;
      const data = { ...parameters.data, expiresAt: Date.now() + 1e9 };
      const altered = [
        ...[undefined, null, 1, '', 'x', '[]', 'e30='],
        encode({ challenge, solution: { ...solution, counter: solution!.counter + 1 } }),
        encode({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
        encode({ challenge: { parameters: { ...parameters, data }, signature }, solution }),
        encode({ challenge: { parameters: { ...parameters, cost: 1, keyPrefix: '0' }, signature }, solution }),
        encode({ challenge: { parameters }, solution }),
        encode({ challenge: { parameters, signature: signature!.toUpperCase() }, solution }),
        encode({ challenge: { parameters: { ...parameters, cost: 1e12 }, signature: 'a'.repeat(64) }, solution }),
        encode({ challenge: { parameters: null, signature }, solution }),
        encode({ challenge: { parameters: { data: { expiresAt: 'x' } }, signature }, solution: {} }),
        encode({ challenge, solution: null }),
        encode({ challenge: { parameters: { ...parameters, extra: [[[]]] }, signature }, solution }),
      ];
      for (const each of altered) await refused(each);
      await submit(encode({ challenge, solution })).expect(202);
    });

    it('verifies 30 solutions of a client an hour, right or wrong, and answers the others like any submission', async () => {
      const client = newClient();
      const wrong = encode({ ...(await solve(await fetchChallenge())), solution: { counter: 1, derivedKey: '00' } });
      const send = (challenge: unknown) => fixture.submitJson(form, { email: 'ada@example.org', challenge }, client);
      for (let i = 0; i < 30; i++) await send(wrong).expect(400);
      await send(wrong).expect(202, { status: 'pending' });
      const solution = encode(await solve(await fetchChallenge()));
      await send(solution).expect(202);
      expect(await fixture.signups()).toEqual([]);
      await submit(solution).expect(202);
      expect(await fixture.signups()).toHaveLength(1);
    });

    it('gives challenges to pages of its origins', async () => {
      const { headers } = await service.request('get', `/f/${form.id}/challenge`).set('Origin', ORIGIN).expect(200);
      expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, 'cache-control': 'no-store' });
      const other = await service.request('get', `/f/${form.id}/challenge`).set('Origin', 'https://evil.example');
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
    });
  });
});
