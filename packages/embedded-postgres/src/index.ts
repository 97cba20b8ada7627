export { tryLock } from './crash-released-lock.js';
export { openDataDirectory } from './data-directory.js';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.js';
