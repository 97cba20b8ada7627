export type { AccountEvent, StoredEvent } from './application/account-event.js';
export { ApplyEvents } from './application/apply-events.service.js';
export { StoreReply } from './application/store-reply.service.js';
