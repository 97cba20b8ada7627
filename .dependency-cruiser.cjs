/** Layer and module rules. Type-only imports count. */
const module_ = '^src/modules/([^/]+)/';

/** Which module may import which (through its index.ts only). */
const arrows = {
  campaigns: ['sending', 'messages', 'contacts', 'templates', 'senders', 'suppression', 'accounts'],
  sending: [
    'messages',
    'suppression',
    'templates',
    'domains',
    'senders',
    'accounts',
    'provider-settings',
    'tracking',
    'sms',
    'simulator',
  ],
  'provider-events': ['messages', 'suppression', 'provider-settings'],
  simulator: ['messages', 'provider-events', 'suppression'],
  sms: ['messages', 'suppression', 'provider-settings'],
  messages: ['accounts', 'provider-settings'],
  suppression: ['messages', 'accounts'],
  templates: ['accounts'],
  domains: ['provider-settings'],
  senders: ['domains', 'suppression', 'accounts', 'provider-settings'],
  contacts: ['suppression', 'messages'],
  imports: ['contacts', 'suppression', 'accounts'],
  erasure: ['campaigns', 'contacts', 'imports', 'messages', 'provider-events', 'webhooks', 'suppression'],
  keys: ['accounts'],
  tracking: ['messages'],
  submission: ['sending', 'simulator', 'suppression', 'keys', 'accounts'],
  webhooks: [],
  'provider-settings': ['accounts'],
  accounts: [],
};

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'service-without-tests-and-tools',
      severity: 'error',
      from: { path: '^(src|migrations|packages)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench|chaos|dashboard)/' },
    },
    {
      name: 'nobody-imports-specs',
      severity: 'error',
      from: {},
      to: { path: '\\.(e2e-|browser-)?spec\\.ts$' },
    },
    {
      name: 'dashboard-knows-only-the-api',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(src|migrations|packages|test|bench|chaos)/' },
    },
    {
      name: 'packages-know-only-the-api',
      severity: 'error',
      from: { path: '^packages/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src|migrations)/' },
    },
    {
      name: 'sdk-runs-everywhere',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: '\\.spec\\.ts$|^packages/sdk/src/cli/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sdk-without-its-command-line',
      severity: 'error',
      from: { path: '^packages/sdk/src/(?!cli/)', pathNot: '\\.spec\\.ts$' },
      to: { path: '^packages/sdk/src/cli/|csv-parse' },
    },
    {
      name: 'test-support-without-tools',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: '^(bench|chaos)/' },
    },
    {
      name: 'migrations-run-where-the-data-source-is-built',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/platform/database/data-source\\.ts$' },
      to: { path: '^migrations' },
    },
    {
      name: 'migrations-know-nothing-of-the-service',
      severity: 'error',
      from: { path: '^migrations' },
      to: { path: '^src' },
    },
    {
      name: 'shared-is-pure',
      severity: 'error',
      from: { path: '^src/shared' },
      to: { path: '^src/(?!shared)|@nestjs|typeorm' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: module_ + 'domain/' },
      to: { path: '^src/|@nestjs|typeorm', pathNot: '^src/modules/$1/domain/|^src/shared/' },
    },
    {
      name: 'application-knows-ports',
      severity: 'error',
      from: { path: module_ + 'application/' },
      to: {
        path: '^src/|typeorm|@nestjs/(?!common)|bullmq|nodemailer',
        pathNot: '^src/modules/$1/(domain|application)/|^src/shared/|^src/modules/[^/]+/index\\.ts$',
      },
    },
    {
      name: 'infrastructure-implements-ports',
      severity: 'error',
      from: { path: module_ + 'infrastructure/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/modules/$1/(domain|application|infrastructure)/|^src/(shared|platform|config)/|^src/modules/[^/]+/index\\.ts$',
      },
    },
    {
      name: 'entry-points-call-application',
      severity: 'error',
      from: { path: module_ + '(http|jobs|smtp)/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/modules/$1/(domain|application|$2)/|^src/(shared|config)/|^src/platform/(http|csv|queue|scheduling|logging|metrics|tracing)/|^src/modules/[^/]+/index\\.ts$',
      },
    },
    {
      name: 'nobody-imports-entry-points',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/modules/[^/]+/[^/]+\\.module\\.ts$|^src/modules/[^/]+/(http|jobs|smtp)/' },
      to: { path: '^src/modules/[^/]+/(http|jobs|smtp)/' },
    },
    {
      name: 'modules-meet-at-their-index',
      severity: 'error',
      from: { path: module_ },
      to: { path: '^src/modules/', pathNot: '^src/modules/$1/|^src/modules/[^/]+/(index|[^/]+\\.module)\\.ts$' },
    },
    {
      name: 'tracing-is-loaded-only-if-it-is-on',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/platform/tracing/otlp-tracing\\.ts$' },
      to: { path: '^src/platform/tracing/otlp-tracing|@opentelemetry/', dynamic: false },
    },
    {
      name: 'platform-below-modules',
      severity: 'error',
      from: { path: '^src/platform' },
      to: { path: '^src/modules' },
    },
    ...Object.entries(arrows).map(([name, allowed]) => ({
      name: `arrows-of-${name}`,
      severity: 'error',
      from: { path: `^src/modules/${name}/` },
      to: { path: '^src/modules/', pathNot: `^src/modules/(${[name, ...allowed].join('|')})/` },
    })),
    {
      name: 'every-module-has-arrows',
      severity: 'error',
      from: { path: `^src/modules/(?!(${Object.keys(arrows).join('|')})/)` },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.d.ts', '.js'] },
  },
};
