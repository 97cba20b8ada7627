import { Injectable } from '@nestjs/common';

import { type EventVendor, type EventVendorName, EventVendors } from '../application/ports/event-vendor.js';
import { GenericVendor } from './vendors/generic-vendor.js';
import { MailgunVendor } from './vendors/mailgun-vendor.js';
import { PostmarkVendor } from './vendors/postmark-vendor.js';
import { ResendVendor } from './vendors/resend-vendor.js';
import { SendgridVendor } from './vendors/sendgrid-vendor.js';
import { SnsReceiptVendor } from './vendors/sns-receipt-vendor.js';

@Injectable()
export class BuiltInEventVendors extends EventVendors {
  private readonly vendors: Readonly<Record<EventVendorName, EventVendor>> = {
    generic: new GenericVendor(),
    sendgrid: new SendgridVendor(),
    mailgun: new MailgunVendor(),
    postmark: new PostmarkVendor(),
    resend: new ResendVendor(),
    sns: new SnsReceiptVendor(),
  };

  get(vendor: EventVendorName): EventVendor {
    return this.vendors[vendor];
  }
}
