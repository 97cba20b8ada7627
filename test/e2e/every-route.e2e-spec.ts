import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../support/account.js';
import { errorBody } from '../support/errors.js';
import { listRoutes, type Route } from '../support/routes.js';
import { TestService } from '../support/service.js';

/** A field that no route has, and names that every object inherits. */
const UNKNOWN = ['nonsense', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__'];

/** What programs of others call by a URL that they may add parameters to, or with bodies of their own. */
const ALLOW_UNKNOWN_FIELDS = [
  'get /confirm/:token',
  'get /f/:formId',
  'get /f/:formId/challenge',
  'get /f/:formId/embed.js',
  'get /f/assets/:name',
  'get /health/live',
  'get /health/ready',
  'get /metrics',
  'get /r/:messageId',
  'get /r/:messageId/open.gif',
  'get /u/:token',
  'get /verify-sender/:token',
  'options /f/:formId',
  'post /api/provider-events/ses/:accountId',
  'post /api/provider-events/sms/:accountId',
  'post /api/provider-events/smtp/:accountId',
  'post /api/provider-events/twilio/:accountId',
  'post /confirm/:token',
  'post /f/:formId',
  'post /u/:token',
  'post /verify-sender/:token',
];

/** Routes that are public on purpose. */
const PUBLIC = [
  'get /confirm/:token',
  'get /f/:formId',
  'get /f/:formId/challenge',
  'get /f/:formId/embed.js',
  'get /f/assets/:name',
  'get /health/live',
  'get /health/ready',
  'get /metrics',
  'get /r/:messageId',
  'get /r/:messageId/open.gif',
  'get /u/:token',
  'get /verify-sender/:token',
  'options /f/:formId',
  'post /api/auth/login',
  'post /api/provider-events/ses/:accountId',
  'post /api/provider-events/sms/:accountId',
  'post /api/provider-events/smtp/:accountId',
  'post /api/provider-events/twilio/:accountId',
  'post /confirm/:token',
  'post /f/:formId',
  'post /u/:token',
  'post /verify-sender/:token',
];

/** Routes that members may not call. */
const ADMIN_ONLY = [
  'delete /api/api-keys/:id',
  'delete /api/campaigns/:id',
  'delete /api/contacts/:id',
  'delete /api/domains/:id',
  'delete /api/forms/:id',
  'delete /api/lists/:id',
  'delete /api/senders/:id',
  'delete /api/suppressions/:id',
  'delete /api/templates/:id',
  'delete /api/topics/:id',
  'delete /api/users/:id',
  'delete /api/webhooks/:id',
  'get /api/consents/export',
  'get /api/users',
  'get /api/webhooks/:id/secret',
  'patch /api/api-keys/:id',
  'patch /api/campaigns/:id',
  'patch /api/contacts/:id',
  'patch /api/forms/:id',
  'patch /api/lists/:id',
  'patch /api/messages/:id',
  'patch /api/settings',
  'patch /api/templates/:id',
  'patch /api/topics/:id',
  'patch /api/users/:id',
  'patch /api/webhooks/:id',
  'post /api/api-keys',
  'post /api/campaigns',
  'post /api/campaigns/:id/cancel',
  'post /api/campaigns/:id/copy',
  'post /api/campaigns/:id/pause',
  'post /api/campaigns/:id/resume',
  'post /api/campaigns/:id/retry-failed',
  'post /api/campaigns/:id/start',
  'post /api/campaigns/:id/test',
  'post /api/consents',
  'post /api/contacts',
  'post /api/contacts/:id/erase',
  'post /api/contacts/import',
  'post /api/contacts/import/csv',
  'post /api/domains',
  'post /api/domains/:id/verify',
  'post /api/forms',
  'post /api/lists',
  'post /api/messages/:id/cancel',
  'post /api/messages/:id/resend',
  'post /api/messages/cancel',
  'post /api/senders',
  'post /api/senders/:id/resend',
  'post /api/settings/test',
  'post /api/sms/sync-optouts',
  'post /api/suppressions',
  'post /api/suppressions/import',
  'post /api/templates',
  'post /api/templates/:id/test',
  'post /api/templates/:id/versions/:version/restore',
  'post /api/topics',
  'post /api/users',
  'post /api/webhooks',
  'post /api/webhooks/:id/retry-failed',
  'post /api/webhooks/:id/rotate-secret',
  'post /api/webhooks/:id/test',
  'post /api/webhooks/deliveries/:id/retry',
];

describe('Every route', () => {
  let service: TestService;
  let account: TestAccount;
  let routes: Route[];

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    routes = listRoutes(service);
  });
  afterAll(() => service.stop());

  const call = ({ method, path }: Route) =>
    service.request(method as 'get', path.replace(/:\w+/g, 'c000000000000000000000000'));

  it('is public only if it is listed here', () => {
    const open = routes
      .filter(({ access }) => !access.scope && !access.role)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual(PUBLIC);
  });

  it('is for admins alone if it is listed here', () => {
    const adminOnly = routes
      .filter(({ access }) => access.role === 'admin')
      .map(({ method, path }) => `${method} ${path}`);
    expect(adminOnly.sort()).toEqual(ADMIN_ONLY);
  });

  it('accepts unknown parameters and fields only if it is listed here', () => {
    const open = routes.filter((route) => route.allowsUnknownFields).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual(ALLOW_UNKNOWN_FIELDS);
  });

  it('answers links in mails, probes and provider posts alike with parameters that others appended', async () => {
    for (const route of routes.filter(({ allowsUnknownFields }) => allowsUnknownFields)) {
      const { status } = await call(route);
      const appended = await call({ ...route, path: `${route.path}?utm_source=mail&constructor=1&__proto__=1` });
      expect({ route: route.path, status: appended.status }).toEqual({ route: route.path, status });
    }
  });

  describe('with unknown names', () => {
    const strict = () => routes.filter((route) => !route.allowsUnknownFields);
    let secret: string;

    beforeAll(async () => {
      ({ secret } = await account.createKey());
    });

    const authorised = (route: Route, query = '') => {
      const request = service.request(
        route.method as 'get',
        `${route.path.replace(/:\w+/g, 'c000000000000000000000000')}${query}`,
      );
      return route.access.scope
        ? request.set('X-API-Key', secret)
        : request.set('Authorization', `Bearer ${account.adminToken}`);
    };
    const refusedNames = ({ status, body }: { status: number; body: { message?: string } }) => ({
      status,
      names: UNKNOWN.filter((name) => body.message?.includes(`${name} is not a known field`)),
    });

    it('refuses a query, naming every one', async () => {
      const query = `?${UNKNOWN.map((name) => `${name}=1`).join('&')}`;
      for (const route of strict().filter(({ method }) => method !== 'post')) {
        expect({ route: route.path, ...refusedNames(await authorised(route, query)) }).toEqual({
          route: route.path,
          status: 400,
          names: UNKNOWN,
        });
      }
    });

    it('refuses a query of a POST', async () => {
      const query = `?${UNKNOWN.map((name) => `${name}=1`).join('&')}`;
      for (const route of strict().filter(({ method }) => method === 'post')) {
        const request = authorised(route, query);
        if (route.takesJson) void request.send({});
        else if (route.path.endsWith('/csv')) void request.attach('file', Buffer.from('email'), 'contacts.csv');
        else void request.set('Content-Type', 'text/csv').send('address');
        expect({ route: route.path, ...refusedNames(await request) }).toEqual({
          route: route.path,
          status: 400,
          names: UNKNOWN,
        });
      }
    });

    it('refuses a body, naming every one', async () => {
      const body = `{${UNKNOWN.map((name) => `"${name}":"x"`).join(',')}}`;
      for (const route of strict().filter(({ method, takesJson }) => takesJson && method !== 'get')) {
        const request = authorised(route).set('Content-Type', 'application/json').send(body);
        expect({ route: route.path, ...refusedNames(await request) }).toEqual({
          route: route.path,
          status: 400,
          names: UNKNOWN,
        });
      }
    });
  });

  it('refuses requests without credentials', async () => {
    for (const route of routes.filter(({ access }) => access.scope ?? access.role)) {
      const { body, status } = await call(route);
      expect({ route: route.path, status, message: body.message }).toEqual({
        route: route.path,
        status: 401,
        message: route.access.scope ? 'Missing API key' : 'Missing session',
      });
    }
  });

  it('refuses a key without the scope, and any key where only sessions may', async () => {
    for (const { access, ...route } of routes.filter(({ access }) => access.scope ?? access.role)) {
      const { secret } = await account.createKey({ scopes: [access.scope === 'send' ? 'read_events' : 'send'] });
      const { body, status } = await call({ access, ...route }).set('X-API-Key', secret);
      if (access.scope)
        expect({ status, body }).toEqual({
          status: 403,
          body: errorBody(403, `API key is missing required scope: ${access.scope}`),
        });
      else expect({ status, body }).toEqual({ status: 401, body: errorBody(401, 'Missing session') });
    }
  });

  it('refuses a forged session, and a member where only admins may', async () => {
    const [header, payload] = account.adminToken.split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;
    const altered = `${header}.${payload}.${'A'.repeat(43)}`;
    for (const route of routes.filter(({ access }) => access.role)) {
      for (const token of [unsigned, altered, 'nonsense']) {
        await call(route).set('Authorization', `Bearer ${token}`).expect(401, errorBody(401, 'Invalid session'));
      }
      if (route.access.role !== 'admin') continue;
      await call(route)
        .set('Authorization', `Bearer ${account.memberToken}`)
        .expect(403, errorBody(403, 'This needs the role admin'));
    }
  });
});
