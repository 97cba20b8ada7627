import reactHooks from 'eslint-plugin-react-hooks';
import redos from 'eslint-plugin-redos';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const TEXT_NAMES =
  '/^(label|title|heading|header|description|placeholder|caption|confirm|dismiss|submit|alt|error|legend|detail|name|retry|successMessage|aria-label)$/';

const ONE_LIMIT = 'jest.config.mjs has the one time limit of all tests.';

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'node_modules/',
      '.data/',
      '.bench/',
      '.chaos/',
      '.clients/',
      '.packages/',
      '**/*.mjs',
      '**/*.cjs',
      'dashboard/src/api/schema.d.ts',
      'packages/sdk/src/schema.ts',
    ],
  },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Response classes are shapes for OpenAPI, filled with object literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      // Prettier breaks code, but no comments.
      'max-len': ['error', { code: 1_000, comments: 120, ignoreUrls: true, ignorePattern: '@example' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 6 }],
    },
  },
  {
    // Migrations are never edited.
    files: ['migrations/**/*.ts'],
    rules: { 'max-len': 'off' },
  },
  {
    // Crafted input must not block the process: every expression takes linear time.
    files: ['src/**/*.ts', 'dashboard/src/**/*.{ts,tsx}', 'packages/**/*.ts'],
    ignores: ['src/modules/table-owners.spec.ts'],
    plugins: { redos, regexp },
    rules: {
      'redos/no-vulnerable': 'error',
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['src/config/env.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config/env.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'src/config/env.ts is the only reader of the environment.' },
        { object: 'URL', property: 'canParse', message: 'Use parseUrl: Node 20 refuses Latin-1 once it is optimised.' },
      ],
    },
  },
  {
    files: ['dashboard/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A component is mostly mark-up.
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // Texts are in dashboard/src/texts, from where they are translated.
    files: ['dashboard/src/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'JSXText[value=/\\p{L}{2,}/u]',
          'JSXExpressionContainer > Literal[value=/^\\p{Lu}\\p{Ll}|\\p{L}\\s/u]',
          'JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}\\s|\\s\\p{L}/u]',
          ':not(JSXAttribute[name.name="className"]) > JSXExpressionContainer > ConditionalExpression > Literal[value=/^\\p{Lu}\\p{Ll}|\\p{L}\\s/u]',
          `JSXAttribute[name.name=${TEXT_NAMES}][name.name!="name"] > Literal[value=/\\p{L}{2,}/u]`,
          // The name of a field or a filter is no text.
          'JSXAttribute[name.name="name"] > Literal[value=/^\\p{Lu}|\\s/u]',
          `Property[key.name=${TEXT_NAMES}] > Literal[value=/^\\p{Lu}|\\s/u]`,
          `Property[key.name=${TEXT_NAMES}] > TemplateLiteral > TemplateElement[value.raw=/\\p{L}\\s|\\s\\p{L}/u]`,
        ].map((selector) => ({ selector, message: 'Use t() or RichText and the texts in dashboard/src/texts.' })),
      ],
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts', 'bench/**/*.ts', 'chaos/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      // The fake of a port is asynchronous because the port is.
      '@typescript-eslint/require-await': 'off',
      // Response bodies are untyped on purpose: a test sees what a client would get.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // A test must pass on a machine that is busy, on any day (CONTRIBUTING.md).
    files: ['test/**/*.ts', '**/*.spec.ts'],
    ignores: [
      'test/lighthouse/*.ts', // takes minutes for each page
      'test/support/wait-for.ts', // polls
      'test/support/event-loop.ts', // waits for timers that the test cannot see
      'test/support/smtp-sink.ts', // is a slow relay if it is told to
      'test/support/fake-aws/fake-aws.ts', // has a latency if it is told to
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:timers/promises', importNames: ['setTimeout'], message: 'Wait for a condition.' }] },
      ],
      'no-restricted-syntax': [
        'error',
        ...[
          ['NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]', 'Wait for a condition.'],
          ['CallExpression[callee.property.name="waitForTimeout"]', 'Wait for a condition.'],
          ['CallExpression[callee.object.name="jest"][callee.property.name="setTimeout"]', ONE_LIMIT],
          ['CallExpression[callee.name=/^(it|test)$/][arguments.length>2]', ONE_LIMIT],
          ['CallExpression[callee.callee.property.name="each"][arguments.length>2]', ONE_LIMIT],
          ['CallExpression[callee.name=/^(before|after)(All|Each)$/][arguments.length>1]', ONE_LIMIT],
          [
            'CallExpression[callee.property.name=/^toBeLess/] BinaryExpression > CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name="now"]',
            'Assert what causes the delay, or move the figure to test/soak.',
          ],
        ].map(([selector, message]) => ({ selector, message })),
      ],
    },
  },
);
