import { Injectable } from '@nestjs/common';

import { ConsentRepository } from './ports/consent.repository.js';

/** Whether recipients have consented to the recording of their opens and clicks, for accounts that require it. */
@Injectable()
export class TrackingConsents {
  constructor(private readonly consents: ConsentRepository) {}

  /** Expects a normalised email address. Cheap for many concurrent callers. Must not be called in a transaction. */
  isGranted(accountId: string, email: string): Promise<boolean> {
    return this.consents.isTrackingGranted(accountId, email);
  }
}
