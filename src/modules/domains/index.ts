export { DomainOwnership } from './application/domain-ownership.service.js';
export { EmailIdentities } from './application/ports/email-identities.js';
export { type SigningKey, SigningKeys } from './application/ports/signing-keys.js';
export { ReleaseIdentity } from './application/release-identity.service.js';
export { sesIdentityExists } from './application/domain-errors.js';
