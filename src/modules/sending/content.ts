/** The pure part of the module, which content threads load, too. */
export { attachmentFaults } from './domain/attachment.js';
export { isSetByService } from './domain/custom-headers.js';
export { isNestedTooDeep } from './domain/html-nesting.js';
export { isIdempotencyKey } from './domain/idempotency-key.js';
export { metadataFaults, tagFaults } from './domain/labels.js';
export { namesPath, refusedType } from './domain/refused-types.js';
export type { EmailRequest } from './domain/send-request.js';
export { unsubscribeUrlFault } from './domain/unsubscribe-url.js';
