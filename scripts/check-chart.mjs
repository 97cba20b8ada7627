// Renders the chart with Go's own template engine, with least and with all values, and checks the result against the
// schemas of Kubernetes. Fetches both from npm. Fields that no schema has are faults, too.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const PACKAGES = {
  'kubernetes-models': '5.1.0',
  '@kubernetes-models/prometheus-operator': '6.0.0',
  '@evertdespiegeleer/go-template': '1.0.2',
};
const CHART = fileURLToPath(new URL('../deploy/helm/', import.meta.url));
const NEEDED = {
  image: { repository: 'registry.example.com/opt-in-delivery' },
  existingSecret: 'delivery',
  env: { BASE_URL: 'https://mail.example.com', TRUSTED_PROXIES: '10.0.0.0/8' },
};
const ALL = {
  ...NEEDED,
  image: { ...NEEDED.image, pullSecrets: ['registry'] },
  autoscaling: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'monitoring' } },
};

const read = (name) => readFileSync(join(CHART, name), 'utf8');
const defaults = parse(read('values.yaml'));
const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')));
const faults = [];

const work = mkdtempSync(join(tmpdir(), 'chart-'));
try {
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', work, ...wanted], { stdio: 'inherit' });
  if (isValid(defaults)) faults.push('values.schema.json accepts values without those that are required');
  for (const values of [NEEDED, ALL]) await check(withDefaults(defaults, values));
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else console.log('The chart is valid.');
process.exit();

async function check(values) {
  if (!isValid(values)) faults.push(`values.schema.json refuses ${JSON.stringify(isValid.errors)}`);
  const resources = await render(values);
  console.log(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(', '));
  for (const resource of resources) await checkResource(resource);
  checkReferences(resources);
  checkOptions(resources, values);
}

/** What is optional is where it has to be. */
function checkOptions(resources, { image, serviceMonitor }) {
  for (const { kind, metadata, spec } of resources) {
    const given = spec.template?.spec.imagePullSecrets?.map(({ name }) => name) ?? [];
    if (spec.template && String(given) !== String(image.pullSecrets))
      faults.push(`${kind} ${metadata.name} pulls with ${given} instead of ${image.pullSecrets}`);
    if (kind === 'ServiceMonitor' && metadata.labels?.release !== serviceMonitor.labels.release)
      faults.push(`${kind} ${metadata.name} has the labels ${JSON.stringify(metadata.labels)}`);
  }
}

async function render(values) {
  const { parse: renderTemplate } = await load('@evertdespiegeleer/go-template', 'dist/main.js');
  const { name, version, appVersion } = parse(read('Chart.yaml'));
  const context = {
    Values: values,
    Release: { Name: 'mail', Namespace: 'default', Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  };
  const templates = readdirSync(join(CHART, 'templates')).filter((file) => file.endsWith('.yaml'));
  const texts = templates.map((file) =>
    renderTemplate(read('templates/_container.tpl') + read(`templates/${file}`), context),
  );
  return (await Promise.all(texts)).flatMap((text) =>
    parseAllDocuments(text)
      .map((document) => (faults.push(...document.errors), document.toJSON()))
      .filter((resource) => resource !== null),
  );
}

async function checkResource(resource) {
  const { apiVersion, kind } = resource;

  const home = apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
  const { [kind]: Model } = await load(home, `${apiVersion}/${kind}.js`);
  const unread = new Map();
  const model = new Model(resource);
  for (const key of Object.keys(resource)) model[key] = watched(resource[key], key, unread);
  try {
    model.validate();
  } catch (error) {
    faults.push(`${kind} ${resource.metadata.name}: ${error.message}`);
  }
  for (const path of unread.keys()) faults.push(`${kind} ${resource.metadata.name}: ${path} is in no schema`);
}

/** The validators read each field that they know, and list the keys of maps: what is not read is not known. */
function watched(value, path, unread) {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, watched(inner, `${path}.${key}`, unread)]);
  if (Array.isArray(value)) return entries.map(([, inner]) => inner);
  for (const [key] of entries) unread.set(`${path}.${key}`, true);
  return new Proxy(Object.fromEntries(entries), {
    get: (target, key) => (unread.delete(`${path}.${String(key)}`), target[key]),
    ownKeys: (target) => (
      Object.keys(target).forEach((key) => unread.delete(`${path}.${key}`)),
      Reflect.ownKeys(target)
    ),
  });
}

/** What selects pods or Services has to find some, and what is scaled has to be there. */
function checkReferences(resources) {
  const pods = resources.flatMap(({ spec }) => spec.template?.metadata.labels ?? []);
  const services = resources.flatMap(({ kind, metadata }) => (kind === 'Service' ? [metadata.labels ?? {}] : []));
  const finds = (labels, among) =>
    among.some((own) => Object.entries(labels).every(([key, value]) => own[key] === value));
  for (const { kind, metadata, spec } of resources) {
    const labels = kind === 'Service' ? spec.selector : spec.selector?.matchLabels;
    if (labels && !finds(labels, kind === 'ServiceMonitor' ? services : pods))
      faults.push(`${kind} ${metadata.name} selects nothing`);
    const target = spec.scaleTargetRef;
    if (target && !resources.some((other) => other.kind === target.kind && other.metadata.name === target.name))
      faults.push(`${kind} ${metadata.name} scales nothing`);
  }
}

function withDefaults(base, given) {
  if (typeof base !== 'object' || typeof given !== 'object' || Array.isArray(base)) return given ?? base;
  const keys = new Set([...Object.keys(base), ...Object.keys(given)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, key in base ? withDefaults(base[key], given[key]) : given[key]]),
  );
}

function load(name, file) {
  return import(pathToFileURL(join(work, 'node_modules', name, file)).href);
}
