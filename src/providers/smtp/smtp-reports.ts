import { Injectable } from '@nestjs/common';

import type { SmtpVendor } from '../../shared/account-provider.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import type { PostContext, ProviderPost, ProviderReport, ReadsReports } from '../capabilities/reports.js';
import { type EventVendor, readSigned } from '../events/event-vendor.js';
import { GenericVendor } from '../events/generic-vendor.js';
import { MailgunVendor } from './vendors/mailgun-vendor.js';
import { PostmarkVendor } from './vendors/postmark-vendor.js';
import { ResendVendor } from './vendors/resend-vendor.js';
import { SendgridVendor } from './vendors/sendgrid-vendor.js';

const VENDORS: Readonly<Record<SmtpVendor, EventVendor>> = {
  generic: new GenericVendor(),
  sendgrid: new SendgridVendor(),
  mailgun: new MailgunVendor(),
  postmark: new PostmarkVendor(),
  resend: new ResendVendor(),
};

/** Reads posts of the vendor of the account's relay. */
@Injectable()
export class SmtpReports implements ReadsReports {
  constructor(private readonly secrets: SecretBox) {}

  read(post: ProviderPost, { settings: { smtp }, now }: PostContext): ProviderReport {
    const { vendor = 'generic', sealedEventSigningKey: sealed } = smtp ?? {};
    return readSigned(vendor, VENDORS[vendor], sealed ? this.secrets.open(sealed) : null, post, now);
  }
}
