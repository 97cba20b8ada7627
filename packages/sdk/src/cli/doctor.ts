import { Resolver } from 'node:dns/promises';

import { ApiError, type ClientOptions, type DeliveryClient } from '../index.js';
import {
  baseUrlOf,
  clientOf,
  coloured,
  EXIT,
  type ExitCode,
  parse,
  printable,
  printJson,
  type Terminal,
  UsageError,
} from './command.js';

const OPTIONS = { from: { type: 'string' }, webhook: { type: 'string' } } as const;
const TIMEOUT_MS = 15_000;

/** Receivers of webhooks refuse a larger clock difference. */
const MAX_SKEW_SECONDS = 300;
const NOTED_SKEW_SECONDS = 10;

interface Check {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  detail: string;
  hint?: string;
}

/** Checks the requirements for sending: the service, the clock, the key, the sender's DNS, a webhook receiver. */
export async function doctor(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = parse(args, OPTIONS);
  if (positionals.length > 0) throw new UsageError(`${positionals[0] ?? ''} is not an option`);
  const baseUrl = baseUrlOf(terminal);
  const from = values.from ?? terminal.env.DELIVERY_FROM;
  const service = await checkService(baseUrl);
  const isReachable = service[0]?.state === 'ok';
  const checks = [
    ...service,
    ...(isReachable ? await checkAccess(terminal) : []),
    ...(from === undefined
      ? []
      : await checkDomain(from.slice(from.indexOf('@') + 1), new Resolver({ timeout: 3_000, tries: 2 }))),
    ...(values.webhook === undefined ? [] : [await checkWebhook(values.webhook)]),
  ];
  if (values.json) printJson(terminal, checks);
  else for (const check of checks) terminal.stdout(lineOf(check, terminal));
  if (!isReachable) return EXIT.unreachable;
  return checks.some(({ state }) => state === 'failed') ? EXIT.refused : EXIT.ok;
}

async function checkService(baseUrl: string): Promise<Check[]> {
  try {
    const response = await fetch(new URL('/health/live', baseUrl), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok)
      return [
        failed('service', `${baseUrl} responds with status ${response.status}`, 'Is DELIVERY_BASE_URL the service?'),
      ];
    return [ok('service', `${baseUrl} is reachable`), checkClock(response.headers.get('date'))];
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return [failed('service', `${baseUrl} cannot be reached: ${reason}`, 'Check DELIVERY_BASE_URL and the network')];
  }
}

function checkClock(date: string | null): Check {
  if (date === null) return warning('clock', 'The service does not say what time it is');
  const skew = Math.round(Math.abs(Date.now() - Date.parse(date)) / 1_000);
  const detail = `This clock differs from the service's by ${skew} s`;
  if (skew <= NOTED_SKEW_SECONDS) return ok('clock', detail);
  const hint = `Synchronise the clock (NTP): webhooks are refused from ${MAX_SKEW_SECONDS} s on`;
  return { name: 'clock', state: skew > MAX_SKEW_SECONDS ? 'failed' : 'warning', detail, hint };
}

/** One call per scope that changes nothing: the scope is checked before the body. */
const PROBES: Record<string, (client: DeliveryClient) => Promise<unknown>> = {
  read_events: ({ messages }) => messages.page({ limit: 1 }),
  send: ({ emails }) => emails.send({ to: '', fromEmail: '' }),
  'sms:send': ({ sms }) => sms.preview('doctor'),
  'contacts:read': ({ contacts }) => contacts.page({ limit: 1 }),
  'contacts:write': ({ contacts }) => contacts.upsert({ email: '' }),
};

/** The hints for warnings about the installation, which come with the responses to a valid key. */
const WARNING_HINTS: Readonly<Record<string, { detail: string; hint?: string }>> = {
  trusted_proxies_unset: {
    detail: 'Every client can choose the address that IP allowlists and limits see',
    hint: 'The operator has to set TRUSTED_PROXIES: docs/operations.md',
  },
};

async function checkAccess(terminal: Terminal): Promise<Check[]> {
  const codes = new Set<string>();
  const fetchNoting: ClientOptions['fetch'] = async (url, init) => {
    const response = await fetch(url, init);
    // The name holds the brand of the installation.
    for (const [name, value] of response.headers)
      if (name.endsWith('-warning')) for (const code of value.split(', ')) codes.add(code);
    return response;
  };
  const checks = await checkKey(clientOf(terminal, { fetch: fetchNoting }));
  const warnings = [...codes].map((code) => WARNING_HINTS[code] ?? { detail: code });
  return [...checks, ...warnings.map(({ detail, hint }) => warning('server', detail, hint))];
}

async function checkKey(client: DeliveryClient): Promise<Check[]> {
  const [scopes, limits]: [string[], string[]] = [[], []];
  for (const [scope, call] of Object.entries(PROBES)) {
    const error: unknown = await call(client).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error !== null && !(error instanceof ApiError)) throw error as Error;
    if (error?.status === 401) return [failed('key', error.message, 'Create a key in the dashboard, under API keys')];
    if (error !== null && error.status >= 500) throw error;
    if (error?.status !== 403) scopes.push(scope);
    if (error?.message.startsWith('Daily send limit')) limits.push(error.message);
  }
  return [
    ok('key', `The key has the scopes ${scopes.join(', ') || 'of no endpoint'}`),
    ...limits.map((message) => failed('limit', message, 'It starts again at midnight UTC; an admin can raise it')),
  ];
}

/** Checks the public DNS records of a domain. Whether it is verified for the account is shown in the dashboard. */
async function checkDomain(domain: string, resolver: Resolver): Promise<Check[]> {
  const textsOf = async (name: string): Promise<string[] | null> =>
    resolver.resolveTxt(name).then(
      (records) => records.map((parts) => parts.join('')),
      (error: unknown) => (/^E(?:NOTFOUND|NODATA)$/.test((error as { code?: string }).code ?? '') ? [] : null),
    );
  const [own, dmarc] = await Promise.all([textsOf(domain), textsOf(`_dmarc.${domain}`)]);
  if (own === null || dmarc === null)
    return [
      warning('dns', `The records of ${domain} cannot be looked up from here`, 'Check the resolver of this machine'),
    ];
  const where = 'The records to publish are in the dashboard, under Domains';
  return [
    own.some((text) => /^v=spf1\b/i.test(text))
      ? ok('spf', `${domain} has an SPF record`)
      : warning('spf', `${domain} has no SPF record`, where),
    dmarc.some((text) => /^v=DMARC1\b/i.test(text))
      ? ok('dmarc', `${domain} has a DMARC record`)
      : warning(
          'dmarc',
          `${domain} has no DMARC record`,
          'Large providers require one: v=DMARC1; p=none is enough to begin',
        ),
  ];
}

/** Sends an unsigned request, which a receiver has to refuse. */
async function checkWebhook(url: string): Promise<Check> {
  if (!URL.canParse(url)) throw new UsageError('--webhook is not a URL');
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json' },
      body: '{"event":"webhook.test","data":{}}',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (status === 401 || status === 403) return ok('webhook', `${url} refuses what is not signed (${status})`);
    if (status < 300)
      return failed(
        'webhook',
        `${url} accepts what is not signed (${status})`,
        'Verify the signature: docs/webhooks.md',
      );
    const hint = status < 400 ? 'Redirects are not followed: register the final address' : 'Check path and receiver';
    return failed('webhook', `${url} responds with status ${status}`, hint);
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return failed(
      'webhook',
      `${url} cannot be reached from here: ${reason}`,
      'Check address, firewall and certificate',
    );
  }
}

const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail });
const warning = (name: string, detail: string, hint?: string): Check => ({ name, state: 'warning', detail, hint });
const failed = (name: string, detail: string, hint: string): Check => ({ name, state: 'failed', detail, hint });

const COLOUR_OF = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

function lineOf({ name, state, detail, hint }: Check, terminal: Terminal): string {
  const label = coloured(terminal, COLOUR_OF[state], state.padEnd(7));
  return `${label}  ${name.padEnd(7)}  ${printable(detail)}\n${hint === undefined ? '' : `${' '.repeat(18)}${hint}\n`}`;
}
