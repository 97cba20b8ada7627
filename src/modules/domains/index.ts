export { DomainOwnership } from './application/domain-ownership.service.js';
export { type SigningKey, SigningKeys } from './application/ports/signing-keys.js';
export { ReleaseIdentity } from './application/release-identity.service.js';
export { identityExists } from './application/domain-errors.js';
