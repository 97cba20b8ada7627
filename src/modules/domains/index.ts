export { SenderDirectory } from './application/sender-directory.service.js';
export { type SigningKey, SigningKeys } from './application/ports/signing-keys.js';
