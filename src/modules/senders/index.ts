export { SenderDirectory } from './application/sender-directory.service.js';
