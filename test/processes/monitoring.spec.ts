import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { parse } from 'yaml';

import { SubmissionListener } from '../../src/modules/submission/smtp/submission-listener.js';
import { OutboxDispatcher } from '../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Exposition, groupingsOf, selectorsOf, withoutSelectors } from '../support/promql.js';
import { RelayFixture, SENDER } from '../support/relay-fixture.js';
import { TrackingAccount } from '../support/tracking-account.js';
import { KEYS, SIGN } from '../support/vendor-posts.js';
import { waitFor } from '../support/wait-for.js';

interface Panel {
  id: number;
  title: string;
  type: string;
  datasource?: { type: string; uid: string };
  targets?: { expr: string; legendFormat: string }[];
}

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/** What Prometheus adds to a scrape. */
const ADDED_LABELS = ['job', 'instance'];
const ADDED_METRIC = 'up';
/** A status has values that no run of a test produces. */
const OPEN_LABELS = [...ADDED_LABELS, 'status'];
/** Functions and operators of the expressions. */
const WORDS_WITHOUT_METRICS =
  /^(sum|max|min|count|rate|increase|changes|absent|histogram_quantile|topk|min_over_time|max_over_time|by|on|ignoring|and|offset)$/;

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(read('ops/grafana-dashboard.json')) as { panels: Panel[] };
const charts = dashboard.panels.filter(({ type }) => type !== 'row');
const { groups } = parse(read('ops/prometheus-alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

describe('The Grafana dashboard and the alert rules', () => {
  let fixture: RelayFixture;
  let exposition: Exposition;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    fixture = await RelayFixture.start(
      {
        ...{ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', HOST: '127.0.0.1' },
        ...{ SMTP_PORT: '0', SMTP_ALLOW_PLAINTEXT_AUTH: 'true' },
        // It is no standby, so all reads stay with the primary, but it has the metrics of a replica.
        ...{ DATABASE_URL: database.url, DATABASE_READ_URL: database.url },
      },
      {},
      database,
    );
    await causeEveryMetric(fixture);
    exposition = await waitFor('a sample of every metric', async () => {
      const { text } = await fixture.service.request('get', '/metrics').expect(200);
      // Metrics of Node.js may have no samples, such as the active requests of libuv.
      const names = [...text.matchAll(/^# TYPE (?!nodejs_)(\w+) /gm)].map(([, name = '']) => name);
      const isSampled = names.every((name) => new RegExp(`^${name}(_count)?[{ ]`, 'm').test(text));
      return isSampled && new Exposition(text);
    });
  });
  afterAll(async () => {
    await fixture.stop();
    await database.drop();
  });

  /** The parts of an expression that match nothing which the service exposes. */
  function faultsOf(expression: string): string[] {
    const selectors = selectorsOf(expression);
    const labels = selectors.flatMap(({ metric }) => exposition.labelsOf(metric));
    return [
      ...selectors.flatMap(({ metric, matchers }) => {
        if (metric !== ADDED_METRIC && !exposition.has(metric)) return [metric];
        const known = [...ADDED_LABELS, ...exposition.labelsOf(metric)];
        return matchers.flatMap(({ label, operator, value }) => {
          if (!known.includes(label)) return [`${metric}{${label}}`];
          if (OPEN_LABELS.includes(label) || operator === '!~') return [];
          return value
            .split('|')
            .filter((one) => !exposition.hasValue(metric, label, one))
            .map((one) => `${metric}{${label}="${one}"}`);
        });
      }),
      ...groupingsOf(expression).filter((label) => ![...ADDED_LABELS, ...labels].includes(label)),
      ...[...withoutSelectors(expression).matchAll(/(?<![\w.$[])[a-z_]\w+/g)]
        .map(([word]) => word)
        .filter((word) => !WORDS_WITHOUT_METRICS.test(word) && !groupingsOf(expression).includes(word)),
    ];
  }

  /** The labels in a template that the result of the expression does not have. */
  function unknownLabels(names: string[], expression: string): string[] {
    const labels = selectorsOf(expression).flatMap(({ metric }) => exposition.labelsOf(metric));
    const isGrouped = /\b(sum|max|min|count)\b/.test(expression);
    const known = isGrouped ? groupingsOf(expression) : [...labels, ...ADDED_LABELS];
    return names.filter((name) => !known.includes(name));
  }

  it('find faults in an expression', () => {
    expect(faultsOf('rate(messages_accepted_totl{job="x"}[5m])')).toEqual(['messages_accepted_totl']);
    expect(faultsOf('sum by (lane) (messages_accepted_total{channl="email"})')).toEqual([
      'messages_accepted_total{channl}',
      'lane',
    ]);
    expect(faultsOf('queue_depth{queue="email"}')).toEqual(['queue_depth{queue="email"}']);
    expect(faultsOf('max(queue_depth)')).toEqual(['queue_depth']);
  });

  it.each(charts.map((panel) => [panel.title, panel] as const))('show metrics that exist: %s', (_title, panel) => {
    expect(panel.datasource).toEqual({ type: 'prometheus', uid: '${datasource}' });
    expect(panel.targets?.length).toBeGreaterThan(0);
    for (const { expr, legendFormat } of panel.targets!) {
      expect(faultsOf(expr)).toEqual([]);
      const names = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
      expect(unknownLabels(names, expr)).toEqual([]);
    }
  });

  it('give every panel an id of its own', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('alert on metrics that exist: %s', (_name, rule) => {
    expect(faultsOf(rule.expr)).toEqual([]);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    const names = [...rule.annotations.summary!.matchAll(/\$labels\.(\w+)/g)].map(([, name = '']) => name);
    expect(unknownLabels(names, rule.expr)).toEqual([]);
  });

  it('link every alert to what to do about it', () => {
    const headings = [...read('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
    for (const { annotations } of rules) {
      const [file, anchor] = annotations.runbook!.split('#');
      expect(file).toBe('docs/operations.md');
      expect(headings).toContain(anchor);
    }
  });
});

describe('The alert rules', () => {
  const isInstalled = spawnSync('promtool', ['--version']).status === 0;
  const run = isInstalled ? it : it.skip;
  const condition = isInstalled ? '' : ' (skipped: promtool, of the Debian package prometheus, is not on the path)';

  run(`fire when they should, and only then${condition}`, () => {
    for (const command of [
      ['check', 'rules', 'prometheus-alerts.yml'],
      ['test', 'rules', 'prometheus-alerts.test.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', command, {
        cwd: fileURLToPath(new URL('../../ops', import.meta.url)),
        encoding: 'utf8',
      });
      expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
    }
  });

  it('have a test each', () => {
    const { tests } = parse(read('ops/prometheus-alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const firing = cases.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname);
    expect([...new Set(firing)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

/** As GitHub derives it from a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

/** A message that is delivered and visited, a mail by SMTP, a webhook attempt, and an event that a provider reports. */
async function causeEveryMetric(fixture: RelayFixture): Promise<void> {
  const { service } = fixture;
  const { key } = await fixture.open();
  const port = service.app.get(SubmissionListener, { strict: false }).portOf('starttls')!;
  const transport = createTransport({ host: '127.0.0.1', port, auth: { user: 'apikey', pass: key.secret } });
  await transport.sendMail({ from: SENDER, to: 'ada@example.org', subject: 'Hello', text: 'Hello' });
  const tracking = await TrackingAccount.open(fixture);
  const { links } = await tracking.send({ html: '<p><a href="https://example.com/">Hello</a></p>' });
  await tracking.get(links[0]!).expect(302);

  const url = 'http://127.0.0.1:1/refuses-connections';
  await tracking.account
    .asAdmin('post', '/api/webhooks')
    .send({ url, events: ['contact.suppressed'] })
    .expect(201);
  await tracking.account.asAdmin('post', '/api/suppressions').send({ email: 'bob@example.org' }).expect(201);
  await service.app.get(OutboxDispatcher, { strict: false }).dispatch();

  const other = await service.createAccount();
  const smtp = { host: 'relay.example', port: 587, vendor: 'generic', eventSigningKey: KEYS.generic };
  await other.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
  const event = { id: 'e1', type: 'delivered', messageLogId: 'unknown', occurredAt: service.clock.now().toISOString() };
  const { body, headers } = SIGN.generic(event, service.clock.now());
  await service
    .request('post', `/api/provider-events/smtp/${other.id}`)
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(body)
    .expect(200);
}
