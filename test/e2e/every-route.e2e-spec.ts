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
