export { DailyCaps } from './application/daily-caps.service.js';
export { DeliveryAlarm } from './application/ports/delivery-alarm.js';
export { DeliveryLedger } from './application/ports/delivery-ledger.js';
export { MessageIntake } from './application/ports/message-intake.js';
export type { ClaimedMessage, DeliveryOutcome, NewMessage } from './domain/delivery.js';
export { type CapUsage, tighterCap } from './domain/daily-caps.js';
