import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const PASSWORD = 'correct horse battery staple';

describe('GET /api/auth/me', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount({ name: 'Acme' });
  });
  afterAll(() => service.stop());

  const signIn = async (email: string, role: 'admin' | 'member') => {
    const { body: user } = await account.asAdmin('post', '/api/users').send({ email, password: PASSWORD, role });
    const { body } = await service.request('post', '/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    return { user, token: body.accessToken as string };
  };
  const me = (token: string) => service.request('get', '/api/auth/me', token);

  it('returns the signed-in user and the account', async () => {
    const { user, token } = await signIn('Ada@Example.com', 'member');
    const { body } = await me(token).expect(200);
    expect(body).toEqual({
      user: { id: user.id, email: 'Ada@Example.com', role: 'member' },
      account: { id: account.id, name: 'Acme' },
    });
  });

  it('shows a change of the role, the email and the account name at once', async () => {
    const { user, token } = await signIn('grace@example.com', 'member');
    await account.asAdmin('patch', `/api/users/${user.id}`).send({ role: 'admin', email: 'hopper@example.com' });
    await account.asAdmin('patch', '/api/settings').send({ accountName: 'Acme Ltd' });
    const { body } = await me(token).expect(200);
    expect(body).toEqual({
      user: { id: user.id, email: 'hopper@example.com', role: 'admin' },
      account: { id: account.id, name: 'Acme Ltd' },
    });
  });

  it('is refused after the user was removed', async () => {
    const { user, token } = await signIn('edsger@example.com', 'admin');
    await account.asAdmin('delete', `/api/users/${user.id}`).expect(200);
    await me(token).expect(401, errorBody(401, 'Invalid session'));
  });

  it('is refused after the password was set, even to the same one', async () => {
    const { user, token } = await signIn('barbara@example.com', 'admin');
    await account.asAdmin('patch', `/api/users/${user.id}`).send({ password: PASSWORD }).expect(200);
    await me(token).expect(401, errorBody(401, 'Invalid session'));
    const { body } = await service
      .request('post', '/api/auth/login')
      .send({ email: user.email, password: PASSWORD })
      .expect(200);
    await me(body.accessToken).expect(200);
  });
});
