import { DomainError } from '../../shared/domain-error.js';
import { isFields } from '../events/fields.js';
import type { ProviderEvent } from '../events/provider-event.js';
import { isSmsReceipt, parseSmsReceipt } from './sms-receipt.js';
import { GenericVendor } from '../events/generic-vendor.js';

/** SMS delivery receipts, as Amazon SNS logs them or in the generic format; signed like the latter. */
export class SnsReceiptVendor extends GenericVendor {
  protected override toEvent(entry: unknown): ProviderEvent {
    if (!isFields(entry) || !isSmsReceipt(entry)) return super.toEvent(entry);
    const event = parseSmsReceipt(entry);
    if (!event) throw DomainError.invalid('notification.messageId is required');
    return event;
  }
}
