export { TrackedLinks } from './application/ports/tracked-links.js';
